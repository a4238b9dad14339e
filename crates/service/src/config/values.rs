//! Types of settings, with their textual form.

use std::str::FromStr;
use std::time::Duration;

/// Reads a duration with its unit: `500ms`, `15s`, `10m`, `2h`, `30d`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a duration; write one like 500ms, 15s, 10m, 2h or 30d");
    let at = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(at);
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let unit_ms: u64 = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err(wrong()),
    };
    let ms = number.checked_mul(unit_ms).ok_or_else(wrong)?;
    Ok(Duration::from_millis(ms))
}

/// The origin of a page, as browsers write it: `https://example.org`, without a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageOrigin(pub String);

impl FromStr for PageOrigin {
    type Err = String;

    fn from_str(text: &str) -> Result<PageOrigin, String> {
        let host = text
            .split_once("://")
            .filter(|(scheme, host)| matches!(*scheme, "http" | "https") && !host.is_empty());
        match host {
            Some((_, host)) if host.bytes().all(is_of_host) => {
                Ok(PageOrigin(text.to_ascii_lowercase()))
            }
            _ => Err(format!(
                "`{text}` is not an origin; write one like https://example.org"
            )),
        }
    }
}

fn is_of_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_have_a_unit() {
        let ms = |text: &str| Some(duration(text).ok()?.as_millis());
        assert_eq!(ms("500ms"), Some(500));
        assert_eq!(ms("2h"), Some(7_200_000));
        assert_eq!(ms("30d"), Some(2_592_000_000));
        for wrong in ["", "5", "s", "-5s", "5 s", "5w", "99999999999999999999d"] {
            assert_eq!(ms(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn origins_have_a_scheme_and_no_path() {
        let good = [
            "https://example.org",
            "http://localhost:3000",
            "http://[::1]:80",
        ];
        assert!(good.iter().all(|text| text.parse::<PageOrigin>().is_ok()));
        let bad = [
            "example.org",
            "https://",
            "https://a/b",
            "*",
            "file://x",
            "null",
        ];
        assert!(bad.iter().all(|text| text.parse::<PageOrigin>().is_err()));
    }
}
