//! What an upgrade of the server leaves as it is.

use std::sync::Arc;
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Map, json};
use wyrmgate::config::Config;
use wyrmgate::metrics::Metrics;
use wyrmgate::rules::Library;
use wyrmgate::session::{
    ChanceDecider, ChoiceId, ChoiceOrder, Refusal, Sealer, Service, StatelessGame,
};
use wyrmgate::store::{self, ChangeMark, Commit};

use crate::races::embedded;
use crate::support::{Server, Session, TRADE, config, expect, fixtures};

/// Where a snapshot says for which program its state was written: after the length of the state, "WYRM" and the format.
const FINGERPRINT: std::ops::Range<usize> = 10..18;

/// Makes the state of a session one that another version of the server has written, which compiles the rules in another way.
async fn as_of_another_version(store: &str, session: &str) {
    let store = store::open(store).await.unwrap();
    let record = store.load(session).await.unwrap().unwrap();
    let mut snapshot = record.snapshot.to_vec();
    snapshot[FINGERPRINT].iter_mut().for_each(|byte| *byte ^= 1);
    let mut commit = Commit::new(session, record.position.revision);
    (commit.expected_mark, commit.mark) = (record.mark, ChangeMark::draw().unwrap());
    commit.snapshot = Some(snapshot.into());
    commit.expires_at_ms = record.expires_at_ms;
    store.commit(commit).await.unwrap();
}

#[tokio::test]
async fn a_session_goes_on_although_another_version_compiled_its_rules_in_another_way() {
    let (_folder, store) = embedded();
    let with_store = || Config {
        store: store.clone(),
        ..config()
    };
    let server = Server::with(with_store()).await;
    let (session, tokens) = server.duel(TRADE).await;
    session.play_for(1, &tokens, |_| 0).await;
    let first = session.choices(&tokens[0]).await;
    let secret = session.move_by(&tokens[0], json!({"id": first[0]})).await;
    expect(secret, StatusCode::OK).await;
    let before = [
        session.view(&tokens[0]).await,
        session.view(&tokens[1]).await,
    ];
    let (path, owner) = (session.path.clone(), session.owner.clone());
    drop(server);

    let id = path.rsplit('/').next().unwrap();
    as_of_another_version(&store, id).await;

    let server = Server::with(with_store()).await;
    let session = Session {
        server: &server,
        path,
        owner,
        created: json!({}),
    };
    let after = [
        session.view(&tokens[0]).await,
        session.view(&tokens[1]).await,
    ];
    assert_eq!(
        after, before,
        "with the secret answer that the log does not have"
    );
    let second = session.choices(&tokens[1]).await;
    let last = session.move_by(&tokens[1], json!({"id": second[0]})).await;
    let receipt = expect(last, StatusCode::CREATED).await;
    let chosen = json!([{"seat": 1, "bot": false}, {"seat": 2, "bot": false}]);
    assert_eq!(receipt["choices"], chosen);
}

/// The domain separation string of sealed states.
const SEALED_STATE: &[u8] = b"wyrmgate 1 sealed state";

/// Makes a sealed state one that another version of the server has sealed.
fn sealed_by_another_version(sealer: &Sealer, text: &str) -> String {
    let mut plain = sealer.open_bytes(SEALED_STATE, text).unwrap();
    let magic = plain.windows(4).position(|four| four == b"WYRM").unwrap();
    let fingerprint = plain.iter_mut().skip(magic + 6).take(FINGERPRINT.len());
    fingerprint.for_each(|byte| *byte ^= 1);
    sealer.seal_bytes(SEALED_STATE, &plain).unwrap()
}

fn first_choice(game: &StatelessGame) -> ChoiceOrder {
    let (version, seat, index) = (game.version(), game.owing()[0], 0);
    ChoiceOrder::Listed(Ok(ChoiceId {
        version,
        seat,
        member: 0,
        index,
    }))
}

#[tokio::test]
async fn a_sealed_state_goes_on_although_another_version_compiled_its_rules_in_another_way() {
    let store = store::open("memory").await.unwrap();
    let (library, _) = Library::read(&fixtures()).unwrap();
    let (library, metrics) = (Arc::new(library), Arc::new(Metrics::default()));
    let service = Service::new(store, library, metrics, Duration::from_secs(60));
    let sealer = service.sealer().await.unwrap();
    let ruleset = service.game(TRADE).await.unwrap();
    let luck = ChanceDecider::Seed(Some([7; 32]));
    let begun = service.begin_stateless(ruleset, 2, &Map::new(), luck);
    let mut game = begun.unwrap();
    // A choice of each seat, then a secret answer, which stays open.
    for _ in 0..3 {
        let seat = game.owing()[0];
        game.choose(seat, &first_choice(&game)).unwrap();
    }
    let sealed = game.seal(&sealer).unwrap();
    let other = sealed_by_another_version(&sealer, &sealed);
    let again = service.unseal(&sealer, &other).await.unwrap();
    assert_eq!(again.state(), game.state());
    assert_eq!(again.owing(), game.owing());

    let mut worlds = Vec::new();
    game.imagine(1, 1, &mut |world| worlds.push(world)).unwrap();
    let worlds = game.seal_worlds(&sealer, worlds).unwrap();
    let other = sealed_by_another_version(&sealer, &worlds[0]);
    let refused = service.unseal(&sealer, &other).await.err();
    assert!(
        matches!(refused, Some(Refusal::Unprocessable { .. })),
        "{refused:?}"
    );
}
