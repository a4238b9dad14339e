//! Finds the place where a JSON parser stopped, as a JSON Pointer (RFC 6901).

/// Returns the pointer to the member or element at a line and column (from 1). `""` is the whole document.
pub fn of(text: &[u8], line: usize, column: usize) -> String {
    let mut walk = PointerWalk::default();
    let end = offset(text, line, column);
    for byte in text.iter().take(end) {
        walk.step(*byte);
    }
    walk.pointer()
}

fn offset(text: &[u8], line: usize, column: usize) -> usize {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let before: usize = lines.take(line.saturating_sub(1)).map(<[u8]>::len).sum();
    before + column
}

/// An object or array that encloses the current position.
enum Enclosure {
    Array(usize),
    Object(Vec<u8>),
}

#[derive(Default)]
struct PointerWalk {
    levels: Vec<Enclosure>,
    /// The string being read, if any.
    string: Option<Vec<u8>>,
    is_escaped: bool,
    /// Whether the position is in an object, before a colon.
    expects_name: bool,
}

impl PointerWalk {
    fn step(&mut self, byte: u8) {
        if let Some(string) = &mut self.string {
            if self.is_escaped {
                self.is_escaped = false;
                string.push(byte);
            } else if byte == b'\\' {
                self.is_escaped = true;
            } else if byte == b'"' {
                self.end_of_string();
            } else {
                string.push(byte);
            }
            return;
        }
        match byte {
            b'"' => self.string = Some(Vec::new()),
            b'{' => self.open(Enclosure::Object(Vec::new())),
            b'[' => self.open(Enclosure::Array(0)),
            b'}' | b']' => {
                self.levels.pop();
                self.expects_name = false;
            }
            b':' => self.expects_name = false,
            b',' => self.next(),
            _ => {}
        }
    }

    fn open(&mut self, level: Enclosure) {
        self.expects_name = matches!(level, Enclosure::Object(_));
        self.levels.push(level);
    }

    fn end_of_string(&mut self) {
        let string = self.string.take().unwrap_or_default();
        if let (true, Some(Enclosure::Object(name))) = (self.expects_name, self.levels.last_mut()) {
            *name = string;
        }
    }

    fn next(&mut self) {
        match self.levels.last_mut() {
            Some(Enclosure::Array(index)) => *index += 1,
            Some(Enclosure::Object(_)) => self.expects_name = true,
            None => {}
        }
    }

    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for level in &self.levels {
            match level {
                Enclosure::Array(index) => pointer.push_str(&format!("/{index}")),
                Enclosure::Object(name) if name.is_empty() => {}
                Enclosure::Object(name) => {
                    let name = String::from_utf8_lossy(name);
                    pointer.push('/');
                    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                }
            }
        }
        pointer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointer_to(text: &str, mark: &str) -> String {
        let column = text.find(mark).unwrap() + mark.len();
        of(text.as_bytes(), 1, column)
    }

    #[test]
    fn places_are_named_by_members_and_elements() {
        let text = r#"{"seats": ["open", 7], "a/b": {"c": true}, "more": 1}"#;
        assert_eq!(pointer_to(text, "open"), "/seats/0");
        assert_eq!(pointer_to(text, " 7"), "/seats/1");
        assert_eq!(pointer_to(text, "true"), "/a~1b/c");
        assert_eq!(pointer_to(text, "\"more\""), "/more");
        assert_eq!(of(b"{\n \"x\": no}", 2, 7), "/x");
    }
}
