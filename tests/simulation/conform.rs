//! Tests the contract of all stores with the model of Redis, on which the schedules rely.

use std::rc::Rc;

use futures_util::future::LocalBoxFuture;

use crate::plan::{Plan, Work};
use crate::world::{self, Node};

#[path = "../store/cases.rs"]
mod cases;

fn conforms(masters: usize, run: world::Run) {
    let mut plan = Plan::calm(1, Work::Contract);
    plan.masters = masters;
    let outcome = world::run_only(&plan, run);
    assert!(outcome.problems.is_empty(), "{:?}", outcome.problems);
}

macro_rules! simulated {
    ($($case:ident),* $(,)?) => { $(
        #[test]
        fn $case() {
            for masters in [1, 3] {
                let run = |node: Node| -> LocalBoxFuture<'static, ()> { Box::pin(cases::$case(node.store)) };
                conforms(masters, Rc::new(run));
            }
        }
    )* };
}

cases::every_case!(simulated);
