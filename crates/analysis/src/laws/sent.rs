//! Servers write a view from parts that never change. It must read like the document that all other laws examine.

use super::found::LawFinding;
use super::hidden::languages;
use super::rest::{LawRest, expect};
use wyrmgate_engine::Viewer;
use wyrmgate_view::{view, view_to_send};

pub(super) fn check(rest: &mut LawRest<'_>) -> Result<(), LawFinding> {
    let seats = (0..rest.program.seats as u8).map(Viewer::Seat);
    for viewer in seats.chain([Viewer::Public]) {
        for language in languages(rest.program) {
            let reader = viewer.reading(language);
            let document = serde_json::to_string(&view(rest.program, rest.state, reader)).ok();
            let to_send = view_to_send(rest.program, rest.state, reader);
            let sent = serde_json::to_string(&to_send).ok();
            expect(document == sent, || {
                let sent = sent.unwrap_or_default();
                format!("{viewer:?} is sent something else than the view: {sent}")
            })?;
        }
    }
    Ok(())
}
