//! Requests that this server sends to itself on behalf of a client, such as those behind `/mcp`: they name the client, so
//! that its rate limits apply. A secret of the process proves that they come from here.

use std::net::IpAddr;

use actix_web::http::header::{HeaderMap, HeaderName};
use subtle::ConstantTimeEq;
use wyrmgate_runtime::surroundings::{NoEntropy, entropy};

/// The header with the secret and the address of the client.
pub const CALLER: &str = "wyrmgate-caller";
const NAME: HeaderName = HeaderName::from_static(CALLER);

/// The secret of this process.
#[derive(Clone)]
pub struct CallerSecret(String);

impl CallerSecret {
    pub fn random() -> Result<CallerSecret, NoEntropy> {
        let bits: [u8; 32] = entropy()?;
        Ok(CallerSecret(blake3::hash(&bits).to_hex().to_string()))
    }

    /// Returns the value of the header for a client.
    pub fn on_behalf_of(&self, client: IpAddr) -> String {
        format!("{} {client}", self.0)
    }

    /// Returns the client that a request names, if the request comes from this process.
    pub fn client(&self, headers: &HeaderMap) -> Option<IpAddr> {
        let (secret, client) = headers.get(NAME)?.to_str().ok()?.split_once(' ')?;
        let is_ours: bool = secret.as_bytes().ct_eq(self.0.as_bytes()).into();
        client.parse().ok().filter(|_| is_ours)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn only_this_process_can_name_a_client() {
        let (ours, theirs) = (
            CallerSecret::random().unwrap(),
            CallerSecret::random().unwrap(),
        );
        let client = IpAddr::from([10, 0, 0, 7]);
        let headers = |value: String| {
            let mut headers = HeaderMap::new();
            let value = HeaderValue::from_str(&value).unwrap();
            headers.insert(NAME, value);
            headers
        };
        assert_eq!(
            ours.client(&headers(ours.on_behalf_of(client))),
            Some(client)
        );
        assert_eq!(ours.client(&headers(theirs.on_behalf_of(client))), None);
        assert_eq!(ours.client(&headers("10.0.0.7".into())), None);
        assert_eq!(ours.client(&HeaderMap::new()), None);
    }
}
