//! Rated games, some of them of a tournament, whose results nodes count while they die: each exactly once.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use tokio::task::spawn_local;
use tokio::time::{sleep, timeout};
use wyrmgate::session::{
    Call, Clock, Duty, IdempotencyKey, Live, PlayerId, Rating, Refusal, Seat, SessionOrder, Stage,
    Terms, Token, Tournament, TournamentFormat, TournamentOrder, TournamentTerms, Visibility,
};
use wyrmgate::store::{Bytes, Digest, session_id};

use crate::games::ruleset;
use crate::world::{Node, World};

const PLAYERS: usize = 4;
/// Games beside the tournament, in which the first player meets the second.
const EXTRA: usize = 3;
/// Everybody meets everybody else.
const IN_TOURNAMENT: usize = 6;
/// The time in which everything is counted when nothing goes wrong any more.
const SETTLING: Duration = Duration::from_secs(60);

fn token(number: usize) -> Token {
    let text = format!("wg_player_{}", format!("{number:02x}").repeat(32));
    Token::parse(&text).unwrap()
}

fn player(number: usize) -> PlayerId {
    token(number).player().unwrap()
}

fn key(world: &World, words: [u64; 2]) -> IdempotencyKey {
    let words = [world.plan.seed, words[0], words[1]];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let digest: Digest = *blake3::hash(&bytes).as_bytes();
    IdempotencyKey {
        digest,
        fingerprint: digest,
    }
}

fn terms() -> Terms {
    Terms {
        rated: true,
        clock: Some(Clock {
            game_ms: Some(3_600_000),
            ..Clock::default()
        }),
        ..Terms::default()
    }
}

fn extra(world: &World, number: usize) -> String {
    session_id(Some(&key(world, [1, number as u64]).digest)).unwrap()
}

fn tournament(world: &World) -> String {
    session_id(Some(&key(world, [2, 0]).digest)).unwrap()
}

pub fn employ(world: &Rc<World>) {
    for number in 0..EXTRA {
        let run = Rc::new(move |node: Node| -> LocalBoxFuture<'static, ()> {
            Box::pin(play_extra(node, number))
        });
        world.employ(format!("game {number}"), true, run);
    }
    let run = Rc::new(|node: Node| -> LocalBoxFuture<'static, ()> { Box::pin(host(node)) });
    world.employ("host of the tournament".to_owned(), true, run);
    for at in 0..world.plan.nodes {
        let run = Rc::new(|node: Node| -> LocalBoxFuture<'static, ()> { Box::pin(count(node)) });
        world.employ_on(at, format!("results of {at}"), false, run);
    }
}

/// Counts results on a node.
async fn count(node: Node) {
    let mut watch = node.service.watch(Duty::Results).unwrap();
    while let Some(turn) = watch.next().await {
        let node = node.clone();
        spawn_local(async move {
            // Failed work is offered again.
            let _ = node
                .writing(node.service.perform(Duty::Results, &turn))
                .await;
        });
    }
}

async fn pause(node: &Node) {
    sleep(Duration::from_millis(20 + node.world.below(300))).await;
}

/// Plays a game beside the tournament: it is created, and the second seat gives it up.
async fn play_extra(node: Node, number: usize) {
    let world = &node.world;
    let id = extra(world, number);
    let (key, seats) = (key(world, [1, number as u64]), [0, 1].map(seat));
    loop {
        let order = SessionOrder {
            ruleset: ruleset(),
            options: Default::default(),
            seats: seats.to_vec(),
            reserved: Vec::new(),
            host: None,
            labels: Default::default(),
            visibility: Visibility::Public,
            seed: None,
            terms: terms(),
            waits: Default::default(),
            before: None,
        };
        let created = node.writing(node.service.create(&order, Some(&key)));
        if timeout(Duration::from_secs(4), created)
            .await
            .is_ok_and(|made| made.is_ok())
            && give_up(&node, &id, 1).await
        {
            return;
        }
        pause(&node).await;
    }
}

fn seat(number: usize) -> Seat {
    Seat::Taken {
        token: Token::parse(&format!("wg_seat_{}", "ab".repeat(32)))
            .unwrap()
            .hash(),
        name: None,
        player: Some(player(number)),
    }
}

/// Gives a game up for a player; returns whether it is over.
async fn give_up(node: &Node, id: &str, loser: usize) -> bool {
    let (token, key) = (token(loser), key(&node.world, [3, loser as u64]));
    let describe = |_: &_| Bytes::default();
    let call = Call {
        session: id,
        token: Some(&token),
        key: Some(&key),
        describe: &describe,
    };
    let resigned = node.writing(node.service.resign(call));
    match timeout(Duration::from_secs(4), resigned).await {
        Ok(Ok(_)) | Ok(Err(Refusal::SessionOver | Refusal::NotNow(_))) => true,
        Ok(Err(_)) | Err(_) => false,
    }
}

/// Creates the tournament, starts it, and lets the higher number of each table give its game up.
async fn host(node: Node) {
    let id = tournament(&node.world);
    loop {
        match timeout(Duration::from_secs(4), step(&node, &id)).await {
            Ok(Ok(true)) => return,
            Ok(Ok(false)) | Ok(Err(_)) | Err(_) => pause(&node).await,
        }
    }
}

async fn step(node: &Node, id: &str) -> Result<bool, Refusal> {
    let service = &node.service;
    let present = match service.tournament(id).await {
        Err(Refusal::NotFound) => {
            let key = key(&node.world, [2, 0]);
            let created = service.create_tournament(order(), Some(&key));
            node.writing(created).await?
        }
        found => found?,
    };
    if present.stage == Stage::Waiting {
        let host = Some(player(0));
        node.writing(service.start_tournament(id, host)).await?;
    }
    let tables = present.rounds.iter().flatten();
    for table in tables.filter(|table| table.points.is_none()) {
        let (session, loser) = (table.session.as_ref(), table.entrants.iter().max());
        if let (Some(session), Some(loser)) = (session, loser) {
            give_up(node, session, *loser).await;
        }
    }
    Ok(present.stage == Stage::Finished)
}

fn order() -> TournamentOrder {
    let ruleset = ruleset();
    TournamentOrder {
        terms: TournamentTerms {
            name: "Four".into(),
            game: ruleset.name.clone(),
            ruleset: ruleset.digest.clone(),
            seats: 2,
            terms: terms(),
            format: TournamentFormat::RoundRobin,
            creator: Some(player(0)),
            ..TournamentTerms::default()
        },
        ruleset,
        players: (0..PLAYERS).map(player).collect(),
    }
}

pub fn employ_auditor(world: &Rc<World>) {
    let run = Rc::new(|node: Node| -> LocalBoxFuture<'static, ()> { Box::pin(audit(node)) });
    world.employ("auditor".to_owned(), true, run);
}

/// Returns all games once they are counted.
async fn counted(node: &Node) -> Result<(Tournament, Vec<Arc<Live>>), Refusal> {
    let tournament = node.service.tournament(&tournament(&node.world)).await?;
    let tables = tournament.rounds.iter().flatten();
    let of_tables = tables.filter_map(|table| table.session.clone());
    let others = (0..EXTRA).map(|number| extra(&node.world, number));
    let mut games = Vec::new();
    for id in of_tables.chain(others) {
        let live = node.service.load(&id).await?;
        let contest = live.contest();
        if contest.is_none_or(|of| of.due_at_ms.is_some() || of.ratings.is_empty()) {
            return Err(Refusal::SessionRunning);
        }
        games.push(live);
    }
    Ok((tournament, games))
}

async fn audit(node: Node) {
    let world = &node.world;
    let counting = async {
        loop {
            match counted(&node).await {
                Ok(found) => return found,
                Err(_) => sleep(Duration::from_millis(100)).await,
            }
        }
    };
    let Ok((tournament, games)) = timeout(SETTLING, counting).await else {
        return world.problem("results are not counted");
    };
    world
        .tally
        .borrow_mut()
        .add("games counted", games.len() as u64);
    if tournament.stage != Stage::Finished || games.len() != IN_TOURNAMENT + EXTRA {
        let what = format!(
            "{} games, and the tournament is {:?}",
            games.len(),
            tournament.stage
        );
        world.problem(what);
    }
    let points: Vec<f64> = tournament.standings().iter().map(|of| of.points).collect();
    if points != [3.0, 2.0, 1.0, 0.0] {
        world.problem(format!("the points are {points:?}"));
    }
    for number in 0..PLAYERS {
        judge(&node, &games, number).await;
    }
    for contradiction in world.servers.contradictions(crate::clock::now_ms()) {
        world.problem(contradiction);
    }
}

/// Checks that the games of a player form one chain from the first rating to the present one: each is in it, once.
async fn judge(node: &Node, games: &[Arc<Live>], number: usize) {
    let (world, id) = (&node.world, player(number));
    let mut left: Vec<(Rating, Rating, u64, bool)> = Vec::new();
    for live in games {
        for seat in live.status.seats_of(id) {
            let changes = live.contest().map(|contest| contest.ratings.clone());
            let change = changes.unwrap_or_default().into_iter();
            let change = change.into_iter().find(|change| change.seat == seat);
            let ended = live.status.roster.finished_at_ms.unwrap_or_default();
            let won = live.play.as_ref().and_then(|play| play.state().outcome());
            let won = won.is_some_and(|outcome| outcome.winners.contains(&(seat - 1)));
            match change.and_then(|change| Some((change.before, change.after?, ended, won))) {
                Some(change) => left.push(change),
                None => return world.problem(format!("a game of player {number} does not count")),
            }
        }
    }
    let mut present = Rating::default();
    while !left.is_empty() {
        let follows = |(before, ..): &(Rating, Rating, u64, bool)| before.games == present.games;
        let Some(at) = left.iter().position(follows) else {
            return world.problem(format!(
                "{left:?} of player {number} do not follow {present:?}"
            ));
        };
        let (before, after, ended, won) = left.remove(at);
        let is_right = before == present.at(ended)
            && after.games == before.games + 1
            && (after.rating > before.rating) == won;
        if !is_right {
            world.problem(format!("{present:?}, then {before:?} became {after:?}"));
        }
        present = after;
    }
    let profile = loop {
        match node.service.player(id).await {
            Ok(profile) => break profile,
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    };
    let kept: Vec<Rating> = profile.ratings.values().copied().collect();
    if kept != [present] {
        world.problem(format!("player {number} has {kept:?} and not {present:?}"));
    }
}
