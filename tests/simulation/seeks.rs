//! People who seek each other through several nodes: nobody is seated twice, and nobody waits for ever while another one does.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use tokio::time::{Instant, sleep, timeout};
use wyrmgate::session::{
    Duty, IdempotencyKey, Live, RatingRange, Refusal, Seat, Seeker, SessionOrder, Stage, Terms,
    Token, TokenRights, Visibility, WaitTerms,
};
use wyrmgate::store::{Cursor, Digest, Index, ListQuery};

use crate::clock;
use crate::games::{attend, ruleset};
use crate::world::{Node, Run, World};

/// The time after which all have met when nothing goes wrong any more: a move is resumed after some seconds, and work that
/// failed is offered again after increasing times.
const SETTLING: Duration = Duration::from_secs(60);
/// Number of sessions in a page.
const LIMIT: usize = 100;

/// Somebody who seeks.
struct Person {
    number: u8,
    seeker: Seeker,
    /// Its key, if it repeats its request until it is answered.
    key: Option<IdempotencyKey>,
    has_asked: Cell<bool>,
}

fn digest(world: &World, number: u8) -> Digest {
    let mut words = world.plan.seed.to_le_bytes().to_vec();
    words.extend([b's', number]);
    *blake3::hash(&words).as_bytes()
}

fn person(world: &World, number: u8) -> Rc<Person> {
    let digest = digest(world, number);
    let of = |rights| Token::derived(rights, &digest, number, &digest);
    let player = number
        .is_multiple_of(2)
        .then(|| of(TokenRights::Player).player());
    let seat = Seat::Taken {
        token: of(TokenRights::Seat).hash(),
        name: None,
        player: player.flatten(),
    };
    let key = IdempotencyKey::new(digest, digest);
    Rc::new(Person {
        number,
        seeker: Seeker {
            seat,
            profile: Default::default(),
            rating: None,
            range: RatingRange::default(),
        },
        // The last one asks once, whatever happens.
        key: (u64::from(number) < world.plan.players).then_some(key),
        has_asked: Cell::new(false),
    })
}

fn order() -> SessionOrder {
    SessionOrder {
        reserved: Vec::new(),
        host: None,
        labels: Default::default(),
        ruleset: ruleset(),
        options: Default::default(),
        seats: vec![Seat::Open; 2],
        visibility: Visibility::Public,
        seed: None,
        terms: Terms::default(),
        waits: WaitTerms {
            until_ms: Some(clock::now_ms() + 600_000),
            seek: None,
        },
        before: None,
    }
}

fn people(world: &World) -> impl Iterator<Item = Rc<Person>> {
    (1..=world.plan.players as u8).map(|number| person(world, number))
}

pub fn employ(world: &Rc<World>) {
    for person in people(world) {
        let name = format!("seeker {}", person.number);
        let run: Run = Rc::new(move |node: Node| -> LocalBoxFuture<'static, ()> {
            Box::pin(seek(node, person.clone()))
        });
        world.employ(name, true, run);
    }
    for at in 0..world.plan.nodes {
        let run: Run = Rc::new(|node: Node| -> LocalBoxFuture<'static, ()> {
            Box::pin(async move {
                attend(&node, [Some(Duty::Waits)]);
                std::future::pending::<()>().await;
            })
        });
        world.employ_on(at, format!("duties of {at}"), false, run);
    }
}

async fn seek(node: Node, me: Rc<Person>) {
    let below = |n| node.world.below(n);
    loop {
        // Often several at the same moment.
        sleep(Duration::from_millis(
            [0, 0, below(1_500)][below(3) as usize],
        ))
        .await;
        if me.has_asked.replace(true) && me.key.is_none() {
            return;
        }
        let order = order();
        let patience = Duration::from_millis([300, 4_000][below(2) as usize]);
        let asked = node.writing(node.service.seek(&order, &me.seeker, me.key.as_ref()));
        match timeout(patience, asked).await {
            Ok(Ok(_)) => return,
            Ok(Err(Refusal::Store(_) | Refusal::Overloaded)) | Err(_) => {}
            Ok(Err(refusal)) => node.world.problem(format!("cannot seek: {refusal}")),
        }
    }
}

pub fn employ_auditor(world: &Rc<World>) {
    let run: Run = Rc::new(|node: Node| -> LocalBoxFuture<'static, ()> { Box::pin(audit(node)) });
    world.employ("auditor".to_owned(), true, run);
}

/// All sessions in these lists that are there.
async fn sessions(node: &Node, index: &Index) -> Option<Vec<Arc<Live>>> {
    let mut found = Vec::new();
    let mut after: Option<Cursor> = None;
    loop {
        let query = ListQuery {
            index: index.clone(),
            after,
            limit: LIMIT,
        };
        let page = node.store.list(query).await.ok()?;
        for listed in page.items {
            match node.service.load(&listed.session).await {
                Ok(live) => found.push(live),
                Err(Refusal::NotFound) => {}
                Err(_) => return None,
            }
        }
        after = page.next;
        if after.is_none() {
            return Some(found);
        }
    }
}

/// Where everybody sits at one moment: the sessions that play, and those that wait.
struct Tables {
    running: Vec<Arc<Live>>,
    waiting: Vec<Arc<Live>>,
}

async fn tables(node: &Node) -> Tables {
    loop {
        // Who moves in between is then seen in neither list, and never in both.
        let running = sessions(node, &Index::RUNNING).await;
        let waiting = sessions(node, &Index::OPEN).await;
        if let (Some(running), Some(waiting)) = (running, waiting) {
            return Tables { running, waiting };
        }
        sleep(Duration::from_millis(100)).await;
    }
}

fn is_moving(live: &Live) -> bool {
    live.status.roster.wait.is_moving()
}

impl Tables {
    /// The seats of everybody, by the token: in sessions that play or wait for others.
    fn seats(&self) -> BTreeMap<[u8; 32], Vec<String>> {
        let waiting = self.waiting.iter();
        let waiting = waiting.filter(|live| live.stage() == Stage::Waiting && !is_moving(live));
        let mut seats: BTreeMap<[u8; 32], Vec<String>> = BTreeMap::new();
        for live in self.running.iter().chain(waiting) {
            for seat in &live.status.seats {
                if let Seat::Taken { token, .. } = seat {
                    seats.entry(token.0).or_default().push(live.id.to_string());
                }
            }
        }
        seats
    }

    /// Returns what is not as it should be once all have met.
    fn unsettled(&self, world: &World) -> Option<String> {
        let waiting: Vec<&str> = self.waiting.iter().map(|live| &*live.id).collect();
        if waiting.len() > 1 || self.waiting.iter().any(|live| is_moving(live)) {
            return Some(format!("these wait for each other: {waiting:?}"));
        }
        let seats = self.seats();
        let mut keyed = people(world).filter(|person| person.key.is_some());
        let is_lost = |person: &Rc<Person>| match &person.seeker.seat {
            Seat::Taken { token, .. } => !seats.contains_key(&token.0),
            Seat::Open | Seat::Bot(_) => false,
        };
        let lost = keyed.find(is_lost);
        lost.map(|person| format!("seeker {} is nowhere", person.number))
    }
}

async fn audit(node: Node) {
    let world = &node.world;
    let end = Instant::now() + SETTLING;
    loop {
        let tables = tables(&node).await;
        let seats = tables.seats();
        if let Some(twice) = seats.values().find(|sessions| sessions.len() > 1) {
            return world.problem(format!("somebody sits in {twice:?}"));
        }
        let Some(what) = tables.unsettled(world) else {
            let matched = tables.running.len() as u64;
            world.tally.borrow_mut().add("pairs that met", matched);
            break;
        };
        if Instant::now() > end {
            return world.problem(what);
        }
        sleep(Duration::from_millis(200)).await;
    }
    for contradiction in world.servers.contradictions(clock::now_ms()) {
        world.problem(contradiction);
    }
}
