//! Pictures as responses: their sizes, their colors, their media types.

use std::ops::RangeInclusive;

use actix_web::http::header::HeaderValue;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_authoring::picture::{self, DrawingOptions, PictureTheme};
use wyrmgate_base::presume::BrokenInvariant;

/// The picture contains texts from the rules. With this policy no script in it runs and no resource is fetched.
pub const NOTHING_RUNS: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");

/// The colors of a picture.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ThemeName {
    #[default]
    Light,
    Dark,
    /// Light or dark, as the reader prefers.
    Auto,
}

impl From<ThemeName> for PictureTheme {
    fn from(name: ThemeName) -> PictureTheme {
        match name {
            ThemeName::Light => PictureTheme::Light,
            ThemeName::Dark => PictureTheme::Dark,
            ThemeName::Auto => PictureTheme::Auto,
        }
    }
}

/// A file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
pub struct Pixels(#[expect(dead_code, reason = "it describes bytes")] Vec<u8>);

/// The colors of a picture in pixels.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PaintedTheme {
    #[default]
    Light,
    Dark,
}

impl From<PaintedTheme> for PictureTheme {
    fn from(name: PaintedTheme) -> PictureTheme {
        match name {
            PaintedTheme::Light => PictureTheme::Light,
            PaintedTheme::Dark => PictureTheme::Dark,
        }
    }
}

/// Returns how to draw a whole picture, if its size is within the limits.
pub fn drawing(
    size: Option<u16>,
    theme: impl Into<PictureTheme>,
) -> Result<DrawingOptions<'static>, Problem> {
    Ok(DrawingOptions {
        size: sized(
            size,
            picture::WIDTH,
            picture::WIDTH_MIN..=picture::WIDTH_MAX,
        )?,
        theme: theme.into(),
        focus: None,
    })
}

/// Returns a picture in pixels.
pub fn pixels(svg: &str) -> Result<Vec<u8>, Problem> {
    painted(picture::png(svg))
}

/// Returns what was drawn in pixels.
pub fn painted(drawn: Result<Vec<u8>, BrokenInvariant>) -> Result<Vec<u8>, Problem> {
    drawn.map_err(|broken| {
        tracing::error!(%broken, "cannot draw a picture in pixels");
        Problem::new(ProblemCode::Internal)
    })
}

/// Returns the size that a client wants, if it is within the limits.
pub fn sized(wanted: Option<u16>, usual: u16, limits: RangeInclusive<u16>) -> Result<u16, Problem> {
    let size = wanted.unwrap_or(usual);
    match limits.contains(&size) {
        true => Ok(size),
        false => {
            let (least, most) = limits.into_inner();
            let range = format!("use a number from {least} to {most}");
            Err(Problem::malformed("size", range))
        }
    }
}
