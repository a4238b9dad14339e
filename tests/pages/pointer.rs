//! A real pointer, moved by the browser: a mouse, or a finger on a phone.

use reqwest::Method;
use serde_json::{Value, json};

use crate::browser::{Browser, is_firefox};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pointer {
    Mouse,
    Touch,
}

/// A place in the window, in CSS pixels.
pub type Place = (f64, f64);

impl Pointer {
    fn kind(self) -> &'static str {
        match self {
            Pointer::Mouse => "mouse",
            Pointer::Touch => "touch",
        }
    }

    fn moves_to((x, y): Place) -> Value {
        let (x, y) = (x.round() as i64, y.round() as i64);
        json!({"type": "pointerMove", "duration": 0, "origin": "viewport", "x": x, "y": y})
    }
}

impl Browser {
    /// Gives the window a size and what belongs to it: a phone has a touch screen.
    pub async fn become_window(&self, (width, height): (u32, u32), pointer: Pointer) {
        let is_phone = pointer == Pointer::Touch;
        self.resize(width, height, is_phone).await;
        if is_firefox() {
            return;
        }
        let touch = json!({"enabled": is_phone});
        self.cdp("Emulation.setTouchEmulationEnabled", touch).await;
        let still = json!([{"name": "prefers-reduced-motion", "value": "reduce"}]);
        let still = json!({"features": still});
        self.cdp("Emulation.setEmulatedMedia", still).await;
    }

    async fn perform(&self, pointer: Pointer, actions: Vec<Value>) {
        let kind = pointer.kind();
        let body = json!({"actions": [{
            "type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions,
        }]});
        self.call(Method::POST, "/actions", body).await;
    }

    /// Clicks or taps at each of these places, one after the other.
    pub async fn click_at(&self, pointer: Pointer, places: &[Place]) {
        let click = |place: &Place| {
            [
                Pointer::moves_to(*place),
                json!({"type": "pointerDown", "button": 0}),
                json!({"type": "pointerUp", "button": 0}),
            ]
        };
        let actions = places.iter().flat_map(click).collect();
        self.perform(pointer, actions).await;
    }

    /// Holds a finger at a place for a while.
    pub async fn hold_at(&self, place: Place, time: std::time::Duration) {
        let actions = vec![
            Pointer::moves_to(place),
            json!({"type": "pointerDown", "button": 0}),
            json!({"type": "pause", "duration": time.as_millis() as u64}),
            json!({"type": "pointerUp", "button": 0}),
        ];
        self.perform(Pointer::Touch, actions).await;
    }

    /// Moves the mouse to a place.
    pub async fn point_at(&self, place: Place) {
        self.perform(Pointer::Mouse, vec![Pointer::moves_to(place)])
            .await;
    }

    /// Drags what lies at a place to another one, with the mouse.
    pub async fn drag(&self, from: Place, to: Place) {
        let halfway = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let actions = vec![
            Pointer::moves_to(from),
            json!({"type": "pointerDown", "button": 0}),
            Pointer::moves_to(halfway),
            Pointer::moves_to(to),
            json!({"type": "pointerUp", "button": 0}),
        ];
        self.perform(Pointer::Mouse, actions).await;
    }

    /// Returns the middle of the element that an expression of the page names, in sight.
    pub async fn middle_of(&self, element: &str) -> Place {
        let script = format!(
            "const part = {element}; part.scrollIntoView({{block: 'center', inline: 'center'}}); \
             const at = part.getBoundingClientRect(); return [at.x + at.width / 2, at.y + at.height / 2];"
        );
        let place = self.run(&script, json!([])).await;
        serde_json::from_value(place).unwrap()
    }

    /// Clicks in the middle of the element that an expression of the page names.
    pub async fn click_in(&self, element: &str) {
        let place = self.middle_of(element).await;
        self.click_at(Pointer::Mouse, &[place]).await;
    }

    /// Types into a field in place of what it contains.
    pub async fn retype(&self, selector: &str, text: &str) {
        let field = format!("document.querySelector({})", json!(selector));
        self.click_in(&field).await;
        self.press_with("\u{e009}", 'a').await; // Control
        self.press(text).await;
    }
}
