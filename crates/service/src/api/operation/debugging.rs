//! The debugger of the workbench: requests of the Debug Adapter Protocol in the member `params` of `wyrmgate/debug`, over the
//! connection of the language server. The answer is a list: the response, and the events that follow it.
//!
//! A recorded game lies in memory as long as its connection is open, so its size and the number of authors are limited.

use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::api::operation::refusals::{failed, refused};
use crate::api::request::heavy_work::HeavyWork;
use crate::api::request::places::{CallerPlaces, TakenPlace};
use wyrmgate_authoring::debugger::protocol::{Debugged, Debugger, Request, Wanted};
use wyrmgate_authoring::desk::{Desk, RequestRefusal};

/// Bytes of one recorded game; the rest of a longer one is not recorded.
const TAPE_MAX: usize = 32 << 20;
/// Games that are debugged at a time, in all and of one caller.
static GAMES: CallerPlaces = CallerPlaces::new(16, 4);

/// The debugging session of one author.
pub struct Debugging {
    debugger: Arc<Mutex<Debugger>>,
    _place: TakenPlace,
}

impl Debugging {
    pub fn begin(caller: String) -> Result<Debugging, RequestRefusal> {
        let place = GAMES.take(caller);
        let place = place
            .ok_or_else(|| refused("too many games are being debugged here; try again later"))?;
        Ok(Debugging {
            debugger: Arc::default(),
            _place: place,
        })
    }

    /// Answers a request. Playing a game takes as long as a check of its rules; everything else is as short as a replay.
    pub async fn answer(
        &self,
        heavy: &HeavyWork,
        desk: Arc<Mutex<Desk>>,
        params: Value,
    ) -> Result<Value, RequestRefusal> {
        let request = serde_json::from_value::<Request>(params);
        let request = request.map_err(|error| refused(&error.to_string()))?;
        let queue = match request.command.as_str() {
            "launch" => &heavy.checking,
            _ => &heavy.replaying,
        };
        let debugger = self.debugger.clone();
        let answer = queue.run(move || {
            let launch = |wanted: &Wanted| played(&desk, wanted);
            debugger.lock().answer(&request, &launch)
        });
        let messages = answer.await.map_err(|unfinished| failed(&unfinished))?;
        Ok(json!(messages))
    }

    /// Returns whether the author has stopped debugging.
    pub fn is_over(&self) -> bool {
        self.debugger.lock().is_over()
    }
}

/// Plays the game in the buffers of an editor. Nothing is read from disk.
fn played(desk: &Mutex<Desk>, wanted: &Wanted) -> Result<Debugged, String> {
    let project = desk.lock().sent();
    let project = project.ok_or("there are no rules in the editor")?;
    Debugged::of(project, wanted, TAPE_MAX)
}
