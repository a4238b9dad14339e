//! Players for whom an issuer of signed tokens answers: which tokens are accepted, and how often its keys are fetched.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD as BASE64};
use futures_util::future::join_all;
use hmac::{Hmac, Mac};
use reqwest::{RequestBuilder, Response, StatusCode};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair,
    EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RSA_PKCS1_SHA384,
    RSA_PKCS1_SHA512, RSA_PSS_SHA256, RSA_PSS_SHA384, RSA_PSS_SHA512, RsaKeyPair,
};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use wyrmgate::config::{Config, CredentialFiles};

use super::streams::Reader;
use super::support::{Server, TOLL, config, expect, refused, text};

const AUDIENCE: &str = "wyrmgate";

/// The private key of an issuer.
enum Key {
    Rsa(Box<RsaKeyPair>),
    Ecdsa(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

impl Key {
    /// This key is only for tests: everybody has it.
    fn rsa() -> Key {
        let pem = include_str!("../fixtures/issuers/rsa.pem");
        let lines = pem.lines().filter(|line| !line.starts_with('-'));
        let der = BASE64_STANDARD.decode(lines.collect::<String>()).unwrap();
        Key::Rsa(Box::new(RsaKeyPair::from_pkcs8(&der).unwrap()))
    }

    fn ecdsa(algorithm: &'static EcdsaSigningAlgorithm) -> Key {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        Key::Ecdsa(EcdsaKeyPair::from_pkcs8(algorithm, key.as_ref(), &random).unwrap())
    }

    fn p256() -> Key {
        Key::ecdsa(&ECDSA_P256_SHA256_FIXED_SIGNING)
    }

    fn ed25519() -> Key {
        let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Key::Ed25519(Ed25519KeyPair::from_pkcs8(key.as_ref()).unwrap())
    }

    fn sign(&self, algorithm: &str, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match self {
            Key::Rsa(key) => {
                let padding: &'static dyn ring::signature::RsaEncoding = match algorithm {
                    "RS256" => &RSA_PKCS1_SHA256,
                    "RS384" => &RSA_PKCS1_SHA384,
                    "RS512" => &RSA_PKCS1_SHA512,
                    "PS256" => &RSA_PSS_SHA256,
                    "PS384" => &RSA_PSS_SHA384,
                    _ => &RSA_PSS_SHA512,
                };
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(padding, &random, message, &mut signature).unwrap();
                signature
            }
            Key::Ecdsa(key) => key.sign(&random, message).unwrap().as_ref().to_vec(),
            Key::Ed25519(key) => key.sign(message).as_ref().to_vec(),
        }
    }

    /// The public key, as an issuer publishes it.
    fn published(&self, id: &str) -> Value {
        let mut key = match self {
            Key::Rsa(key) => {
                let public: ring::rsa::PublicKeyComponents<Vec<u8>> = key.public().into();
                json!({"kty": "RSA", "n": BASE64.encode(public.n), "e": BASE64.encode(public.e)})
            }
            Key::Ecdsa(key) => {
                let point = &key.public_key().as_ref()[1..];
                let (x, y) = point.split_at(point.len() / 2);
                let curve = if x.len() == 32 { "P-256" } else { "P-384" };
                json!({"kty": "EC", "crv": curve, "x": BASE64.encode(x), "y": BASE64.encode(y)})
            }
            Key::Ed25519(key) => {
                let x = BASE64.encode(key.public_key().as_ref());
                json!({"kty": "OKP", "crv": "Ed25519", "x": x})
            }
        };
        (key["kid"], key["use"]) = (json!(id), json!("sig"));
        key
    }

    fn token(&self, header: &Value, claims: &Value) -> String {
        let signed = unsigned(header, claims);
        let signature = self.sign(header["alg"].as_str().unwrap(), signed.as_bytes());
        format!("{signed}.{}", BASE64.encode(signature))
    }
}

fn unsigned(header: &Value, claims: &Value) -> String {
    let part = |part: &Value| BASE64.encode(part.to_string());
    format!("{}.{}", part(header), part(claims))
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap().as_secs()
}

/// A server that publishes keys on this machine. It listens until it is dropped.
struct Issuer {
    port: u16,
    fetches: Arc<AtomicUsize>,
    answer: Arc<Mutex<String>>,
    task: tokio::task::JoinHandle<()>,
}

impl Issuer {
    async fn start(keys: &[Value]) -> Issuer {
        Issuer::start_at("127.0.0.1:0", keys).await
    }

    async fn start_at(address: &str, keys: &[Value]) -> Issuer {
        let listener = TcpListener::bind(address).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let fetches = Arc::new(AtomicUsize::new(0));
        let answer: Arc<Mutex<String>> = Arc::default();
        let (counted, answers) = (fetches.clone(), answer.clone());
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                counted.fetch_add(1, Ordering::SeqCst);
                let answers = answers.clone();
                tokio::spawn(async move { publish(stream, &answers).await });
            }
        });
        let issuer = Issuer {
            port,
            fetches,
            answer,
            task,
        };
        issuer.publish(keys);
        issuer
    }

    /// From now on it answers with this head and body, or not at all.
    fn answer(&self, head: &str, body: &str) {
        *self.answer.lock().unwrap() = match head {
            "silence" => head.to_owned(),
            _ => format!(
                "HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            ),
        };
    }

    fn publish(&self, keys: &[Value]) {
        self.answer("200 OK", &json!({"keys": keys}).to_string());
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/realms/games", self.port)
    }

    fn jwks(&self) -> String {
        format!("{}/protocol/openid-connect/certs", self.url())
    }

    fn fetches(&self) -> usize {
        self.fetches.load(Ordering::SeqCst)
    }

    fn entry(&self) -> Value {
        json!({"issuer": self.url(), "audience": AUDIENCE, "jwks": self.jwks()})
    }

    /// A token that is accepted.
    fn claims(&self, subject: &str) -> Value {
        json!({"iss": self.url(), "aud": AUDIENCE, "sub": subject, "exp": now() + 300})
    }
}

impl Drop for Issuer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn publish(mut stream: TcpStream, answer: &Mutex<String>) {
    let (mut asked, mut part) = (Vec::new(), [0; 1024]);
    while !asked.ends_with(b"\r\n\r\n") {
        match stream.read(&mut part).await {
            Ok(0) | Err(_) => return,
            Ok(length) => asked.extend_from_slice(&part[..length]),
        }
    }
    let answer = answer.lock().unwrap().clone();
    if answer == "silence" {
        tokio::time::sleep(Duration::from_secs(60)).await;
    }
    let _ = stream.write_all(answer.as_bytes()).await;
    let _ = stream.shutdown().await;
}

/// A server that trusts issuers.
struct Place {
    server: Server,
    file: PathBuf,
    _folder: tempfile::TempDir,
}

impl Place {
    async fn trusting(entries: &[Value]) -> Place {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("issuers.yaml");
        fs::write(&file, json!({"issuers": entries}).to_string()).unwrap();
        let server = Server::with(with_file(file.clone())).await;
        Place {
            server,
            file,
            _folder: folder,
        }
    }

    fn me(&self, token: &str) -> RequestBuilder {
        self.server.get("/v1/players/me").bearer_auth(token)
    }

    /// The id of the player whom a token names.
    async fn player(&self, token: &str) -> String {
        let player = self.me(token).send().await.unwrap();
        text(&expect(player, StatusCode::OK).await, "id")
    }

    async fn refuses(&self, token: &str, why: &str) {
        let problem = refused(self.me(token), 401, "unauthenticated").await;
        let detail = text(&problem, "detail");
        assert!(detail.contains(why), "{why}: {detail}");
    }
}

fn with_file(file: PathBuf) -> Config {
    Config {
        credentials: CredentialFiles {
            keys: None,
            issuers: Some(file),
        },
        ..config()
    }
}

#[tokio::test]
async fn a_person_of_keycloak_and_one_of_auth0_play_each_other() {
    let (rsa, other) = (Key::rsa(), Key::p256());
    let keycloak = Issuer::start(&[
        json!({"kid": "enc", "kty": "RSA", "alg": "RSA-OAEP", "use": "enc", "n": "AQAB", "e": "AQAB"}),
        rsa.published("realm-key"),
    ])
    .await;
    let auth0 = Issuer::start(&[other.published("tenant-key")]).await;
    let mut entries = [keycloak.entry(), auth0.entry()];
    entries[0]["audience"] = json!(["account", "wyrmgate"]);
    entries[1]["audience"] = json!("https://play.example.org/api");
    let place = Place::trusting(&entries).await;

    let ada = |exp: u64| {
        let claims = json!({
            "exp": exp, "iat": now(), "auth_time": now(), "jti": "8f0d", "iss": keycloak.url(), "aud": ["account"],
            "sub": "f1b5c2a0-7d35-4c1c-9a51-0f4f6f5f2a11", "typ": "Bearer", "azp": "game-client", "acr": "1",
            "realm_access": {"roles": ["offline_access"]}, "scope": "openid profile", "preferred_username": "ada",
        });
        let header = json!({"alg": "RS256", "typ": "JWT", "kid": "realm-key"});
        rsa.token(&header, &claims)
    };
    let bob = other.token(
        &json!({"alg": "ES256", "typ": "JWT", "kid": "tenant-key"}),
        &json!({
            "iss": auth0.url(), "sub": "auth0|5f7c8ec7c33c6c004bbafe82", "nickname": "bob\u{202e}", "name": " Bob ",
            "aud": ["https://play.example.org/api", "https://tenant.example/userinfo"], "iat": now(), "exp": now() + 900,
        }),
    );
    // The next token of the same person is the same player.
    let (first, next) = (ada(now() + 60), ada(now() + 61));
    assert_ne!(first, next);
    assert_eq!(place.player(&first).await, place.player(&next).await);
    assert_ne!(place.player(&first).await, place.player(&bob).await);

    let session = place.server.create(json!({"game": TOLL})).await;
    for (seat, token, name) in [(1, &first, "ada"), (2, &bob, "Bob")] {
        let claim = place
            .server
            .put(&session.at(&format!("/seats/{seat}")), json!({}));
        let claim = claim.bearer_auth(token).send().await.unwrap();
        assert_eq!(expect(claim, StatusCode::CREATED).await["name"], name);
    }
    assert_eq!(session.get("/view", Some(&next)).await["seat"], 1);
    let choice = &session.choices(&next).await[0];
    let moved = session.move_by(&next, json!({"id": choice})).await;
    expect(moved, StatusCode::CREATED).await;
    let mine = place
        .server
        .get("/v1/players/me/sessions")
        .bearer_auth(&bob);
    let mine = expect(mine.send().await.unwrap(), StatusCode::OK).await;
    assert_eq!(mine["items"].as_array().map(Vec::len), Some(1), "{mine}");
    assert_eq!((keycloak.fetches(), auth0.fetches()), (1, 1));
}

#[tokio::test]
async fn one_person_plays_both_seats_and_says_which() {
    let key = Key::ed25519();
    let issuer = Issuer::start(&[key.published("one")]).await;
    let place = Place::trusting(&[issuer.entry()]).await;
    let token = key.token(&json!({"alg": "EdDSA"}), &issuer.claims("ada"));
    let session = place.server.create(json!({"game": TOLL})).await;
    for seat in [1, 2] {
        let claim = place
            .server
            .put(&session.at(&format!("/seats/{seat}")), json!({}));
        let claim = claim
            .bearer_auth(&token)
            .header("idempotency-key", format!("seat-{seat}"));
        let claimed = expect(claim.send().await.unwrap(), StatusCode::CREATED).await;
        assert!(claimed["name"].is_null(), "{claimed}");
    }
    for seat in [1, 2] {
        let look = session.ask("/view", Some(&token));
        let look = look.header("act-as", format!("me;seat={seat}"));
        let view = expect(look.send().await.unwrap(), StatusCode::OK).await;
        assert_eq!(view["seat"], seat);
    }
    let other = place.server.put(&session.at("/seats/1"), json!({}));
    let other = other.bearer_auth(&token).header("act-as", "bob");
    refused(other, 403, "forbidden").await;
}

#[tokio::test]
async fn the_name_that_a_player_chooses_counts_more_than_that_of_the_issuer() {
    let key = Key::ed25519();
    let issuer = Issuer::start(&[key.published("one")]).await;
    let mut entry = issuer.entry();
    entry["name"] = json!("handle");
    let place = Place::trusting(&[entry]).await;
    let mut claims = issuer.claims("ada");
    (claims["handle"], claims["name"]) = (json!("Countess"), json!("Ada Lovelace"));
    let token = key.token(&json!({"alg": "EdDSA", "kid": "one"}), &claims);
    let name = async |wanted: Value| {
        let session = place.server.create(json!({"game": TOLL})).await;
        let claim = place.server.put(&session.at("/seats/1"), wanted);
        let claimed = claim.bearer_auth(&token).send().await.unwrap();
        expect(claimed, StatusCode::CREATED).await["name"].clone()
    };
    assert_eq!(name(json!({})).await, "Countess");
    assert_eq!(name(json!({"name": "Guest"})).await, "Guest");
    let choose = place.server.put("/v1/players/me", json!({"name": "Ada"}));
    let chosen = choose.bearer_auth(&token).send().await.unwrap();
    expect(chosen, StatusCode::OK).await;
    assert_eq!(name(json!({})).await, "Ada");
}

#[tokio::test]
async fn every_asymmetric_algorithm_is_accepted_with_its_key_only() {
    let (rsa, p256, ed) = (Key::rsa(), Key::p256(), Key::ed25519());
    let p384 = Key::ecdsa(&ECDSA_P384_SHA384_FIXED_SIGNING);
    let mut only = rsa.published("only-rs256");
    only["alg"] = json!("RS256");
    let keys = [
        rsa.published("rsa"),
        only,
        p256.published("p256"),
        p384.published("p384"),
        ed.published("ed"),
        json!({"kty": "EC", "crv": "secp256k1", "x": "AA", "y": "AA", "kid": "other"}),
        json!({"kty": "oct", "k": "c2VjcmV0", "kid": "secret", "alg": "HS256"}),
        json!("no key"),
    ];
    let issuer = Issuer::start(&keys).await;
    let place = Place::trusting(&[issuer.entry()]).await;
    let claims = issuer.claims("ada");
    let of = |key: &Key, kid: &str, alg: &str| key.token(&json!({"alg": alg, "kid": kid}), &claims);
    let mut players = Vec::new();
    for alg in ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"] {
        players.push(place.player(&of(&rsa, "rsa", alg)).await);
    }
    players.push(place.player(&of(&rsa, "only-rs256", "RS256")).await);
    players.push(place.player(&of(&p256, "p256", "ES256")).await);
    players.push(place.player(&of(&p384, "p384", "ES384")).await);
    players.push(place.player(&of(&ed, "ed", "EdDSA")).await);
    // A token without `kid`: any key that fits.
    players.push(
        place
            .player(&ed.token(&json!({"alg": "EdDSA"}), &claims))
            .await,
    );
    players.dedup();
    assert_eq!(players.len(), 1);

    let algorithm = "not for its algorithm";
    place
        .refuses(&of(&rsa, "only-rs256", "RS512"), algorithm)
        .await;
    place.refuses(&of(&rsa, "p256", "RS256"), algorithm).await;
    place.refuses(&of(&p256, "p384", "ES256"), algorithm).await;
    place.refuses(&of(&ed, "p256", "ES256"), "signature").await;
    place
        .refuses(&of(&p256, "other", "ES256"), "no such key")
        .await;
    let secret = hmac_signed(
        &json!({"alg": "HS256", "kid": "secret"}),
        &claims,
        b"secret",
    );
    place.refuses(&secret, "no such key").await;
}

fn hmac_signed(header: &Value, claims: &Value, key: &[u8]) -> String {
    let signed = unsigned(header, claims);
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(signed.as_bytes());
    format!("{signed}.{}", BASE64.encode(mac.finalize().into_bytes()))
}

/// Each claim is set as stated, or is missing where `null` is stated.
#[tokio::test]
async fn a_refusal_says_what_is_wrong_with_the_token() {
    let key = Key::rsa();
    let issuer = Issuer::start(&[key.published("one")]).await;
    let place = Place::trusting(&[issuer.entry()]).await;
    let header = json!({"alg": "RS256", "kid": "one"});
    let with = |claim: &str, value: Value| {
        let mut claims = issuer.claims("ada");
        match value {
            Value::Null => drop(claims.as_object_mut().unwrap().remove(claim)),
            value => claims[claim] = value,
        }
        key.token(&header, &claims)
    };
    let good = with("nbf", json!(now() + 50));
    place.player(&good).await;
    place.player(&with("exp", json!(now() - 50))).await;
    place.player(&with("exp", json!(now() as f64 + 9.5))).await;
    place.player(&with("sub", json!("é".repeat(255)))).await;
    for (claim, value, why) in [
        ("exp", json!(now() - 70), "expired"),
        ("exp", json!(0), "expired"),
        ("exp", Value::Null, "exp"),
        ("exp", json!("never"), "exp"),
        ("nbf", json!(now() + 70), "not valid yet"),
        ("nbf", json!("never"), "nbf"),
        ("aud", json!("other"), "another audience"),
        ("aud", json!(["other", "Wyrmgate"]), "another audience"),
        ("aud", json!([]), "another audience"),
        ("aud", json!({"a": 1}), "aud"),
        ("aud", Value::Null, "aud"),
        (
            "iss",
            json!("https://evil.example"),
            "does not know the issuer",
        ),
        (
            "iss",
            json!(format!("{}/", issuer.url())),
            "does not know the issuer",
        ),
        ("iss", json!([issuer.url()]), "malformed"),
        ("iss", Value::Null, "malformed"),
        ("sub", json!(""), "sub"),
        ("sub", json!("x".repeat(256)), "sub"),
        ("sub", json!(7), "sub"),
        ("sub", Value::Null, "sub"),
        ("much", json!("x".repeat(8192)), "8192"),
    ] {
        place.refuses(&with(claim, value), why).await;
    }

    let claims = issuer.claims("ada");
    let none = json!({"alg": "none", "kid": "one"});
    place
        .refuses(&format!("{}.", unsigned(&none, &claims)), "none")
        .await;
    place
        .refuses(&unsigned(&header, &claims), "malformed")
        .await;
    // Whoever takes the public key for a secret must not get in with it.
    let Key::Rsa(rsa) = &key else {
        panic!("the key is one of RSA")
    };
    let hmac = json!({"alg": "HS256", "kid": "one"});
    let forged = hmac_signed(&hmac, &claims, rsa.public().as_ref());
    place.refuses(&forged, "not for its algorithm").await;
    let critical = json!({"alg": "RS256", "kid": "one", "crit": ["exp"], "exp": 1});
    place
        .refuses(&key.token(&critical, &claims), "malformed")
        .await;

    let parts: Vec<&str> = good.split('.').collect();
    let other = BASE64.encode(issuer.claims("bob").to_string());
    let tampered = format!("{}.{other}.{}", parts[0], parts[2]);
    place.refuses(&tampered, "signature").await;
    let unsigned = format!("{}.{}.", parts[0], parts[1]);
    place.refuses(&unsigned, "signature").await;
    for broken in ["a.b.c", ".", "..", "wg_player_.x"] {
        place.refuses(broken, "malformed").await;
    }
    place
        .refuses("wg_player_12", "not a token of this server")
        .await;
    assert_eq!(issuer.fetches(), 1);
}

/// Each header is that of a good token but for some members, and the signature is a good one of these bytes.
#[tokio::test]
async fn no_header_and_no_other_issuer_makes_a_token_good() {
    let (rsa, evil, p256) = (Key::rsa(), Key::p256(), Key::p256());
    let issuer = Issuer::start(&[rsa.published("one"), p256.published("two")]).await;
    let other = Issuer::start(&[evil.published("one")]).await;
    let place = Place::trusting(&[issuer.entry(), other.entry()]).await;
    let claims = issuer.claims("ada");
    let ada = place
        .player(&rsa.token(&json!({"alg": "RS256"}), &claims))
        .await;
    let with = |more: Value| {
        let mut header = json!({"alg": "RS256", "kid": "one"});
        let members = header.as_object_mut().unwrap();
        members.extend(more.as_object().unwrap().clone());
        header
    };
    // Where its keys are, or which they are, is not for a token to say.
    let jwks = json!({"jku": other.jwks(), "x5u": other.jwks(), "jwk": evil.published("one")});
    assert_eq!(
        place.player(&rsa.token(&with(jwks.clone()), &claims)).await,
        ada
    );
    let mut led = with(jwks);
    led["alg"] = json!("ES256");
    place.refuses(&evil.token(&led, &claims), "").await;
    assert_eq!(other.fetches(), 0);
    for kid in ["two", "One", "one ", "", "../one"] {
        let token = rsa.token(&with(json!({"kid": kid})), &claims);
        place.refuses(&token, "").await;
    }
    for more in [
        json!({"crit": []}),
        json!({"crit": "exp"}),
        json!({"crit": ["b64"], "b64": false}),
        json!({"kid": 7}),
    ] {
        place
            .refuses(&rsa.token(&with(more), &claims), "malformed")
            .await;
    }
    for alg in [
        json!("None"),
        json!("rs256"),
        json!(""),
        Value::Null,
        json!(["RS256"]),
    ] {
        let signed = unsigned(&with(json!({"alg": alg})), &claims);
        let signature = BASE64.encode(rsa.sign("RS256", signed.as_bytes()));
        for end in [signature.as_str(), ""] {
            place.refuses(&format!("{signed}.{end}"), "malformed").await;
        }
    }
    // An issuer answers for its own players only, also where it names its key like that of another one.
    let es256 = json!({"alg": "ES256", "kid": "one"});
    place
        .refuses(&evil.token(&es256, &claims), "not for its algorithm")
        .await;
    let same = place
        .player(&evil.token(&es256, &other.claims("ada")))
        .await;
    assert_ne!(same, ada);
    // A signature of zeros, and one of the right numbers in another encoding.
    let signed = unsigned(&json!({"alg": "ES256", "kid": "two"}), &claims);
    let zeros = format!("{signed}.{}", BASE64.encode([0; 64]));
    place.refuses(&zeros, "signature").await;
    let der = [[0x30, 68, 2, 32].as_slice(), &[1; 32], &[2, 32], &[1; 32]].concat();
    place
        .refuses(&format!("{signed}.{}", BASE64.encode(der)), "signature")
        .await;
    // Of two members with one name, nobody can say which is meant.
    for twice in ["iss", "sub", "aud"] {
        let text = claims.to_string();
        let text = format!("{},\"{twice}\":\"x\"}}", &text[..text.len() - 1]);
        let parts = [with(json!({})).to_string(), text].map(|part| BASE64.encode(part));
        let signed = parts.join(".");
        let signature = BASE64.encode(rsa.sign("RS256", signed.as_bytes()));
        place.refuses(&format!("{signed}.{signature}"), "").await;
    }
}

#[tokio::test]
async fn a_stream_ends_when_its_token_expires() {
    let key = Key::ed25519();
    let issuer = Issuer::start(&[key.published("one")]).await;
    let place = Place::trusting(&[issuer.entry()]).await;
    let token = |claims: &Value| key.token(&json!({"alg": "EdDSA"}), claims);
    let mut claims = issuer.claims("ada");
    let fresh = token(&claims);
    claims["exp"] = json!(now() - 57); // a minute is tolerated
    let old = token(&claims);
    let events = place.server.get("/v1/players/me/events");
    let mut stream = Reader::open(events.bearer_auth(&old)).await;
    assert_eq!(stream.next().await.unwrap().event, "snapshot");
    tokio::time::sleep(Duration::from_secs(4)).await;
    place.refuses(&old, "expired").await;
    let own = json!({"game": TOLL, "seats": [{"player": "me"}, "open"]});
    let own = place.server.post("/v1/sessions", own).bearer_auth(&fresh);
    expect(own.send().await.unwrap(), StatusCode::CREATED).await;
    let next = tokio::time::timeout(Duration::from_secs(10), stream.next());
    assert!(next.await.expect("an end").is_none());
}

#[tokio::test]
async fn without_issuers_a_signed_token_is_no_token_of_the_server() {
    let key = Key::ed25519();
    let issuer = Issuer::start(&[key.published("one")]).await;
    let server = Server::start().await;
    let token = key.token(&json!({"alg": "EdDSA"}), &issuer.claims("ada"));
    let asked = server.get("/v1/players/me").bearer_auth(token);
    let problem = refused(asked, 401, "unauthenticated").await;
    let said = "the credential is not a token of this server; check that it is complete";
    assert_eq!(problem["detail"], said);
    assert_eq!(issuer.fetches(), 0);
}

#[tokio::test]
async fn the_keys_of_an_issuer_may_change() {
    let (old, new) = (Key::p256(), Key::p256());
    let issuer = Issuer::start(&[old.published("old")]).await;
    let place = Place::trusting(&[issuer.entry()]).await;
    let of = |key: &Key, kid: &str| {
        key.token(&json!({"alg": "ES256", "kid": kid}), &issuer.claims("ada"))
    };
    let player = place.player(&of(&old, "old")).await;
    issuer.publish(&[new.published("new")]);
    // Nobody has asked for the new key yet.
    assert_eq!(place.player(&of(&old, "old")).await, player);
    assert_eq!(place.player(&of(&new, "new")).await, player);
    place.refuses(&of(&old, "old"), "no such key").await;
    place.refuses(&of(&old, "new"), "signature").await;
    assert_eq!(issuer.fetches(), 2);

    // Keys that are known serve without the issuer.
    let token = of(&new, "new");
    drop(issuer);
    assert_eq!(place.player(&token).await, player);
}

#[tokio::test]
async fn tokens_with_made_up_keys_and_crowds_do_not_burden_the_issuer() {
    let key = Key::p256();
    let issuer = Issuer::start(&[key.published("one")]).await;
    let place = Place::trusting(&[issuer.entry()]).await;
    let token = |kid: &str| key.token(&json!({"alg": "ES256", "kid": kid}), &issuer.claims("ada"));
    let good = token("one");
    let crowd = join_all((0..30).map(|_| place.player(&good))).await;
    assert!(crowd.iter().all(|player| *player == crowd[0]));
    assert_eq!(issuer.fetches(), 1);
    let made_up: Vec<String> = (0..60).map(|number| token(&format!("k{number}"))).collect();
    join_all(
        made_up
            .iter()
            .map(|token| place.refuses(token, "no such key")),
    )
    .await;
    assert_eq!(issuer.fetches(), 2);
    place.player(&good).await;
}

#[tokio::test]
async fn an_issuer_that_fails_is_no_fault_of_the_token() {
    let key = Key::p256();
    let keys = [key.published("one")];
    let issuer = Issuer::start(&keys).await;
    let place = Place::trusting(&[issuer.entry()]).await;
    let token = key.token(
        &json!({"alg": "ES256", "kid": "one"}),
        &issuer.claims("ada"),
    );
    let elsewhere = Issuer::start(&keys).await;
    let location = format!("302 Found\r\nLocation: {}", elsewhere.jwks());
    let large = json!({"keys": keys, "more": "x".repeat(256 * 1024)}).to_string();
    for (head, body) in [
        ("500 Internal Server Error", "{}"),
        (&location, ""),
        ("silence", ""),
        ("200 OK", "no JSON"),
        ("200 OK", &large),
    ] {
        issuer.answer(head, body);
        let before = issuer.fetches();
        let all = join_all((0..9).map(|_| place.me(&token).send())).await;
        let failed = |answer: reqwest::Result<_>| {
            answer.is_ok_and(|answer: Response| answer.status() == 503)
        };
        assert!(all.into_iter().all(failed), "{head}");
        assert_eq!(issuer.fetches(), before + 1, "{head}");
        tokio::time::sleep(Duration::from_millis(1100)).await;
    }
    let problem = refused(place.me(&token), 503, "overloaded").await;
    assert!(problem["retry_after"].is_u64());
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(elsewhere.fetches(), 0);
    issuer.publish(&keys);
    place.player(&token).await;
}

#[tokio::test]
async fn an_issuer_that_is_down_is_asked_again_when_it_is_up() {
    let key = Key::p256();
    let keys = [key.published("one")];
    let issuer = Issuer::start(&keys).await;
    let (entry, address) = (issuer.entry(), format!("127.0.0.1:{}", issuer.port));
    let token = key.token(
        &json!({"alg": "ES256", "kid": "one"}),
        &issuer.claims("ada"),
    );
    drop(issuer);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let place = Place::trusting(&[entry]).await;
    refused(place.me(&token), 503, "overloaded").await;
    let _issuer = Issuer::start_at(&address, &keys).await;
    tokio::time::sleep(Duration::from_millis(1100)).await;
    place.player(&token).await;
}

#[tokio::test]
async fn the_file_of_issuers_is_read_again_and_may_name_a_file_of_keys() {
    let key = Key::p256();
    let issuer = Issuer::start(&[key.published("one")]).await;
    let place = Place::trusting(&[issuer.entry()]).await;
    let token = key.token(&json!({"alg": "ES256"}), &issuer.claims("ada"));
    let player = place.player(&token).await;
    let mut entry = issuer.entry();
    let write = async |entry: &Value| {
        fs::write(&place.file, json!({"issuers": [entry]}).to_string()).unwrap();
        tokio::time::sleep(Duration::from_millis(900)).await;
    };
    // Another audience, with the keys that are known.
    entry["audience"] = json!(["other"]);
    write(&entry).await;
    place.refuses(&token, "another audience").await;
    assert_eq!(issuer.fetches(), 1);

    let file = place.file.with_file_name("keys.json");
    fs::write(&file, json!({"keys": [key.published("one")]}).to_string()).unwrap();
    entry = json!({"issuer": issuer.url(), "audience": AUDIENCE, "jwks": file});
    write(&entry).await;
    assert_eq!(place.player(&token).await, player);
    assert_eq!(issuer.fetches(), 1);

    entry["isuer"] = json!("slip");
    write(&entry).await;
    place.refuses(&token, "does not know the issuer").await;
}

#[tokio::test]
async fn a_slip_in_the_file_of_issuers_is_found_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("issuers.yaml");
    for (entry, said) in [
        ("    audienc: b\n", "audienc"),
        ("", "audience"),
        ("    audience: []\n    jwks: keys.json\n", "no audience"),
        (
            "    audience: b\n    jwks: http://login.example.org/keys\n",
            "https",
        ),
        ("    audience: b\n    jwks: ftp://a/keys\n", "malformed URL"),
    ] {
        let text = format!("issuers:\n  - issuer: https://a.example\n{entry}");
        fs::write(&file, text).unwrap();
        let started = wyrmgate::api::start(with_file(file.clone())).await;
        let error = started.err().unwrap().to_string();
        assert!(
            error.contains("issuers.yaml") && error.contains(said),
            "{error}"
        );
    }
}
