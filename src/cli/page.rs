//! Reports of studies as one HTML file: charts, and below them the text that the command prints.

use std::path::Path;

use super::{Stop, setup};
use crate::svg::escaped;

const STYLE: &str = "body{font-family:system-ui,sans-serif;max-width:60rem;margin:1.5rem auto;padding:0 1rem;line-height:1.45}\
svg{width:100%;height:auto}pre{overflow-x:auto;font-size:.85rem}:root{color-scheme:light dark}@media print{body{max-width:none}}";

/// The meaning of the numbers of all reports.
const EXPLAINED: &str = "All seats choose at random unless the command names bots. An interval at the 95 % level contains the true \
value in 19 of 20 such runs; if it contains a fair share, or no difference, the result may be chance. The same seed gives the same games.";

/// Writes a report.
pub fn write(file: &Path, title: &str, charts: &str, text: &str) -> Result<(), Stop> {
    let (title, text) = (escaped(title), escaped(text));
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<figure>\n{charts}</figure>\n\
         <p>{EXPLAINED}</p>\n<h2>In numbers</h2>\n<pre tabindex=\"0\">{text}</pre>\n</body>\n</html>\n"
    );
    setup::write(file, &page)
}
