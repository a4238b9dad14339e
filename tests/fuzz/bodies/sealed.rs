//! A sealed state as a client sends it. Nobody can make one without the key; so the first byte says whether the rest is sealed
//! text as it comes from a client, or what might be inside if somebody had the key.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use serde_json::json;
use tokio::runtime::Runtime;
use wyrmgate::engine::{self, Viewer};
use wyrmgate::metrics::Metrics;
use wyrmgate::rules::Library;
use wyrmgate::session::{ChanceDecider, ChoiceOrder, Service, StatelessGame};
use wyrmgate::store;

use super::{rules, table};

const KEY: [u8; 32] = [7; 32];
const NONCE: [u8; 24] = [3; 24];
const SUBJECT: &[u8] = b"wyrmgate 1 sealed state";

struct Bench {
    runtime: Runtime,
    service: Service,
}

/// A service whose key is known.
static BENCH: LazyLock<Bench> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let (library, _) = Library::read(&rules::path("tests/fixtures/rules")).unwrap();
    let store = runtime.block_on(store::open("memory")).unwrap();
    let name = *blake3::hash(b"wyrmgate 1 sealing key").as_bytes();
    let key = KEY.to_vec().into();
    runtime.block_on(store.put_blob(&name, key)).unwrap();
    let (library, metrics) = (Arc::new(library), Arc::new(Metrics::default()));
    let service = Service::new(store, library, metrics, Duration::from_secs(60));
    Bench { runtime, service }
});

fn seal(plain: &[u8]) -> String {
    let cipher = XChaCha20Poly1305::new(&KEY.into());
    let payload = Payload {
        msg: plain,
        aad: SUBJECT,
    };
    let sealed = cipher.encrypt(XNonce::from_slice(&NONCE), payload).unwrap();
    BASE64.encode([&NONCE[..], &sealed].concat())
}

fn open(text: &str) -> Vec<u8> {
    let bytes = BASE64.decode(text).unwrap();
    let (nonce, sealed) = bytes.split_at(NONCE.len());
    let cipher = XChaCha20Poly1305::new(&KEY.into());
    let payload = Payload {
        msg: sealed,
        aad: SUBJECT,
    };
    cipher.decrypt(XNonce::from_slice(nonce), payload).unwrap()
}

pub fn run(data: &[u8]) {
    let Some((kind, rest)) = data.split_first() else {
        return;
    };
    let Bench { runtime, service } = &*BENCH;
    let text = match kind % 2 {
        0 => String::from_utf8_lossy(rest).into_owned(),
        _ => seal(rest),
    };
    let sealer = runtime.block_on(service.sealer()).unwrap();
    let Ok(game) = runtime.block_on(service.unseal(&sealer, &text)) else {
        return;
    };
    let again = game.seal(&sealer).unwrap();
    let mut game = runtime.block_on(service.unseal(&sealer, &again)).unwrap();
    if let Some(state) = game.state() {
        table::shown(&game.program, state);
    }
    choose(&mut game);
}

/// Every seat that owes a decision takes its first choice.
fn choose(game: &mut StatelessGame) {
    for seat in game.owing() {
        let Some(pending) = game.owed_by(seat) else {
            continue;
        };
        let Some((program, state)) = game.state().map(|state| (&*game.program, state)) else {
            continue;
        };
        let Ok(Some(choice)) = engine::nth_choice(program, state, &pending, 0) else {
            continue;
        };
        let viewer = Viewer::Seat(pending.seat);
        let json = wyrmgate::view::choice_to_json(program, state, &pending, &choice, viewer);
        let _ = game.choose(seat, &ChoiceOrder::Described(json.into()));
    }
}

fn plain(game: &StatelessGame) -> Vec<u8> {
    let Bench { runtime, service } = &*BENCH;
    let sealer = runtime.block_on(service.sealer()).unwrap();
    let sealed = game.seal(&sealer).unwrap();
    [&[1], open(&sealed).as_slice()].concat()
}

pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![[&[0], seal(b"nothing").as_bytes()].concat()];
    for game in BENCH.service.library().games() {
        let options = json!({}).as_object().cloned().unwrap();
        let seats = game.checked.seats[0];
        let begun = BENCH.service.begin_stateless(
            game,
            seats,
            &options,
            ChanceDecider::Seed(Some([1; 32])),
        );
        let mut game = begun.unwrap_or_else(|_| panic!("a game of the fixtures begins"));
        seeds.push(plain(&game));
        for _ in 0..3 {
            choose(&mut game);
            seeds.push(plain(&game));
        }
    }
    seeds
}
