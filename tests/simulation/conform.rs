//! The contract of all stores, over the model of Redis: what the schedules stand on.

use std::rc::Rc;

use futures_util::future::LocalBoxFuture;

use crate::plan::{Plan, Work};
use crate::world::{self, Node};

#[path = "../store/cases.rs"]
mod cases;

macro_rules! simulated {
    ($($case:ident),* $(,)?) => { $(
        #[test]
        fn $case() {
            let run: world::Run = Rc::new(|node: Node| -> LocalBoxFuture<'static, ()> { Box::pin(cases::$case(node.store)) });
            let outcome = world::run_only(&Plan::calm(1, Work::Contract), run);
            assert!(outcome.problems.is_empty(), "{:?}", outcome.problems);
        }
    )* };
}

cases::every_case!(simulated);
