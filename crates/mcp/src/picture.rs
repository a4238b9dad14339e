//! Pictures for models.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::model::{ContentBlock, ResourceContents};

use super::client::ServerAnswer;

/// The width of a picture, in pixels.
pub const WIDTH: u16 = 800;

/// The form of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureForm {
    Svg,
    Pixels,
}

impl PictureForm {
    pub const ALL: [PictureForm; 2] = [PictureForm::Svg, PictureForm::Pixels];

    pub fn file_name(self) -> &'static str {
        match self {
            PictureForm::Svg => "board.svg",
            PictureForm::Pixels => "board.png",
        }
    }

    pub fn media_type(self) -> &'static str {
        match self {
            PictureForm::Svg => "image/svg+xml",
            PictureForm::Pixels => "image/png",
        }
    }

    pub fn description(self) -> &'static str {
        match self {
            PictureForm::Svg => "The table as you see it",
            PictureForm::Pixels => "The table as you see it, in pixels",
        }
    }

    /// Returns a picture as the contents of a resource.
    pub fn contents(self, picture: &ServerAnswer, uri: &str) -> ResourceContents {
        let contents = match self {
            PictureForm::Svg => ResourceContents::text(picture.text(), uri),
            PictureForm::Pixels => {
                ResourceContents::blob(BASE64_STANDARD.encode(&picture.bytes), uri)
            }
        };
        contents.with_mime_type(self.media_type())
    }
}

/// Shows a picture in pixels: all models that see can see these.
pub fn shown(pixels: &ServerAnswer) -> ContentBlock {
    let encoded = BASE64_STANDARD.encode(&pixels.bytes);
    ContentBlock::image(encoded, PictureForm::Pixels.media_type())
}
