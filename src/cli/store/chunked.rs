//! Decodes the chunked transfer encoding of HTTP/1.1.

use std::io::{BufRead, Error, ErrorKind, Read, Result};

/// The decoded body.
pub struct Chunked<R> {
    inner: R,
    /// Remaining bytes of the current chunk.
    left: u64,
    has_begun: bool,
    has_ended: bool,
}

impl<R: BufRead> Chunked<R> {
    pub fn new(inner: R) -> Chunked<R> {
        Chunked {
            inner,
            left: 0,
            has_begun: false,
            has_ended: false,
        }
    }

    fn next_chunk(&mut self) -> Result<()> {
        let mut line = String::new();
        if self.has_begun {
            self.inner.read_line(&mut line)?; // the end of the chunk before
            line.clear();
        }
        self.has_begun = true;
        self.inner.read_line(&mut line)?;
        let length = line.trim_end().split(';').next().unwrap_or_default();
        let odd = |_| Error::new(ErrorKind::InvalidData, "the response is incomplete");
        self.left = u64::from_str_radix(length, 16).map_err(odd)?;
        self.has_ended = self.left == 0;
        Ok(())
    }
}

impl<R: BufRead> Read for Chunked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.left == 0 && !self.has_ended {
            self.next_chunk()?;
        }
        let read = (&mut self.inner).take(self.left).read(buffer)?;
        if read == 0 && self.left > 0 && !buffer.is_empty() {
            return Err(Error::new(
                ErrorKind::UnexpectedEof,
                "the response is incomplete",
            ));
        }
        self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<String> {
        let mut text = String::new();
        Chunked::new(body.as_bytes()).read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn chunks_are_joined_and_a_broken_body_is_no_whole_one() {
        let whole = "4\r\nmilk\r\nc;note=1\r\n, and bread\n\r\n0\r\n\r\n";
        assert_eq!(read(whole).unwrap(), "milk, and bread\n");
        for end in [0, 3, 5, 9, 14, 26] {
            assert!(read(&whole[..end]).is_err(), "{end}");
        }
    }
}
