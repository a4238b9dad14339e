//! Pictures for models.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::model::{ContentBlock, ResourceContents};

use super::client::Answer;

/// The width of a picture, in pixels.
pub const WIDTH: u16 = 800;

/// The form of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Svg,
    Pixels,
}

impl Form {
    pub const ALL: [Form; 2] = [Form::Svg, Form::Pixels];

    pub fn file_name(self) -> &'static str {
        match self {
            Form::Svg => "board.svg",
            Form::Pixels => "board.png",
        }
    }

    pub fn media_type(self) -> &'static str {
        match self {
            Form::Svg => "image/svg+xml",
            Form::Pixels => "image/png",
        }
    }

    pub fn description(self) -> &'static str {
        match self {
            Form::Svg => "The table as you see it",
            Form::Pixels => "The table as you see it, in pixels",
        }
    }

    /// Returns a picture as the contents of a resource.
    pub fn contents(self, picture: &Answer, uri: &str) -> ResourceContents {
        let contents = match self {
            Form::Svg => ResourceContents::text(picture.text(), uri),
            Form::Pixels => ResourceContents::blob(BASE64_STANDARD.encode(&picture.bytes), uri),
        };
        contents.with_mime_type(self.media_type())
    }
}

/// Shows a picture in pixels: all models that see can see these.
pub fn shown(pixels: &Answer) -> ContentBlock {
    let encoded = BASE64_STANDARD.encode(&pixels.bytes);
    ContentBlock::image(encoded, Form::Pixels.media_type())
}
