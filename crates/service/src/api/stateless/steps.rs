//! `/v1/steps`: stateless games. The client keeps the sealed state and receives what it selects of the next one.

use std::sync::Arc;

use actix_web::HttpResponse;
use parking_lot::Mutex;

use crate::api::catalog::games;
use crate::api::request::access::OperatorScope;
use crate::api::request::call::{ApiCall, BodyCall, Handled};
use crate::api::request::context::JsonContext;
use crate::api::request::extract::LargeJson;
use crate::api::request::heavy_work::STEPS_MAX;
use crate::api::request::numbers;
use crate::api::response::respond;
use crate::api::session::moves::{NewMove, choice_of};
use crate::api::shared::problem::{Problem, ProblemCode};
use crate::api::shared::{accept, language};
use crate::api::stateless::new_step::{Imagine, NewStep, StepViewer, ViewerName};
use crate::api::stateless::step_answer::{StepAnswer, StepPart, Wish};
use wyrmgate_analysis::explore::ends;
use wyrmgate_runtime::queue::Unfinished;
use wyrmgate_sessions::{ChanceDecider, Play, Refusal, Sealer, StatelessGame, WORLDS_MAX, trace};
use wyrmgate_spaces::Spaces;

/// Take a step of a stateless game, or many
///
/// Returns the same decisions, events and views as a session, but stores nothing. Use it for training, for search, or
/// for clients that keep games themselves. With `steps`, one request makes up to 256 independent steps.
#[utoipa::path(
    post, path = "/v1/steps",
    operation_id = "step", tag = "play", request_body = NewStep,
    responses((status = 200, description = "The state after the step, or the answers to a list", body = StepAnswer)),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "not-found", "session-over", "not-your-turn", "illegal-choice",
        "stale-version", "rules-budget-exceeded"])),
        ("x-language" = json!(true))),
)]
pub async fn step(ApiCall { context, body, .. }: BodyCall<LargeJson<NewStep>>) -> Handled {
    context.require(OperatorScope::Simulate)?;
    let LargeJson(mut wanted) = body;
    wanted.check()?;
    let sealer = context.service().sealer().await?;
    match wanted.steps.take() {
        None => one(&context, &sealer, wanted).await,
        Some(steps) => many(&context, &sealer, &wanted, steps).await,
    }
}

async fn one(context: &JsonContext, sealer: &Sealer, wanted: NewStep) -> Handled {
    let mut prepared = PreparedStep::of(context, sealer, wanted, None).await?;
    prepared.take()?;
    let worlds = match prepared.wanted.imagine {
        Some(imagine) => Some(worlds(context, sealer, &prepared.game, imagine).await?),
        None => None,
    };
    let mut step = prepared.answer(sealer)?;
    if let Some(worlds) = worlds {
        (step.worlds, step.worlds_limit) = (Some(worlds.sealed), worlds.limit);
    }
    Ok(language::said(respond::ok(&step)?, [prepared.tag()]))
}

/// Answers a list of steps: reads the store first, then takes the steps on another thread.
async fn many(
    context: &JsonContext,
    sealer: &Sealer,
    common: &NewStep,
    steps: Vec<NewStep>,
) -> Handled {
    if !(1..=STEPS_MAX).contains(&steps.len()) {
        let range = format!("a list must have between 1 and {STEPS_MAX} steps");
        return Err(Problem::malformed("/steps", range));
    }
    let is_more = |step: &NewStep| step.steps.is_some() || step.imagine.is_some();
    let place = match steps.iter().position(is_more) {
        Some(number) => Some(format!("/steps/{number}")),
        None => common.imagine.map(|_| "/imagine".to_owned()),
    };
    if let Some(place) = place {
        let alone = "a step of a list has no list of its own and no `imagine`; send it in a request of its own";
        return Err(Problem::malformed(&place, alone));
    }
    let steps: Vec<NewStep> = steps.into_iter().map(|step| step.with(common)).collect();
    for (number, step) in steps.iter().enumerate() {
        step.check().map_err(|problem| problem.in_list(number))?;
    }
    let (all, tags) = all_prepared(context, sealer, steps).await;
    let count = all.len();
    let answers: Arc<Mutex<Vec<Result<String, Problem>>>> = Arc::default();
    let working = {
        let (sealer, answers, accepted) =
            (sealer.clone(), answers.clone(), context.accepted.clone());
        let request = trace::request_id().unwrap_or_default();
        move || {
            for (number, prepared) in all.into_iter().enumerate() {
                wyrmgate_base::cancel::checkpoint();
                let made = prepared.and_then(|prepared| prepared.made(&sealer));
                let answer = made.or_else(|problem| {
                    let problem = problem.localized(&accepted).in_list(number).named(&request);
                    refused(problem)
                });
                answers.lock().push(answer);
            }
        }
    };
    let unfinished = context.app().heavy.stepping.run(working).await.err();
    let mut answers = std::mem::take(&mut *answers.lock());
    if let Some(unfinished) = unfinished {
        // Finished steps keep their answers; the others name the exhausted budget.
        if answers.is_empty() {
            return Err(unfinished.into());
        }
        for number in answers.len()..count {
            let problem = Problem::from(unfinished.clone()).in_list(number);
            answers.push(refused(problem));
        }
    }
    let answers: Vec<String> = answers.into_iter().collect::<Result<_, _>>()?;
    let body = format!("{{\"steps\":[{}]}}", answers.join(","));
    let response = HttpResponse::Ok().content_type(accept::JSON).body(body);
    let tags = tags.iter().map(String::as_str);
    Ok(language::said(response, tags))
}

/// Reads what each step of a list needs. Returns the languages of the games, too.
async fn all_prepared(
    context: &JsonContext,
    sealer: &Sealer,
    steps: Vec<NewStep>,
) -> (Vec<Result<PreparedStep, Problem>>, Vec<String>) {
    let mut all = Vec::with_capacity(steps.len());
    let mut tags: Vec<String> = Vec::new();
    let mut opened: Option<(String, StatelessGame)> = None;
    for step in steps {
        let prepared = PreparedStep::of(context, sealer, step, opened.take()).await;
        if let Ok(prepared) = &prepared {
            opened = prepared.opened();
            tags.push(prepared.tag().to_owned());
        }
        all.push(prepared);
    }
    tags.sort_unstable();
    tags.dedup();
    (all, tags)
}

fn refused(problem: Problem) -> Result<String, Problem> {
    respond::text(&StepAnswer {
        problem: Some(problem),
        ..StepAnswer::default()
    })
}

/// A step with the game that it continues or has begun.
struct PreparedStep {
    wanted: NewStep,
    game: StatelessGame,
    language: wyrmgate_program::Language,
    begun: Vec<u32>,
}

impl PreparedStep {
    /// Opens the state or begins the game. `opened` is a state that has been opened before.
    async fn of(
        context: &JsonContext,
        sealer: &Sealer,
        wanted: NewStep,
        opened: Option<(String, StatelessGame)>,
    ) -> Result<PreparedStep, Problem> {
        let game = match (&wanted.state, opened) {
            (Some(state), Some((text, game))) if *state == text => game,
            (Some(state), _) => unsealed(context, sealer, state, &wanted).await?,
            (None, _) => begun(context, &wanted).await?,
        };
        if wanted.parts().contains(&StepPart::Returns) && !Spaces::of(&game.program).knows_returns()
        {
            let program = game.program.clone();
            let find = move || Spaces::of(&program).returns(&program, ends);
            context.app().heavy.stepping.run(find).await?;
        }
        let prepared = PreparedStep {
            language: context.accepted.among(&game.program.prose.languages),
            wanted,
            game,
            begun: Vec::new(),
        };
        prepared.viewers()?;
        Ok(prepared)
    }

    /// Returns the state as it was opened, for the next step of a list.
    fn opened(&self) -> Option<(String, StatelessGame)> {
        Some((self.wanted.state.clone()?, self.game.clone()))
    }

    fn tag(&self) -> &str {
        language::tag_of(&self.game.program.prose.languages, self.language)
    }

    /// Performs what the step asks for: a choice, an action, an outcome of chance, or nothing.
    fn take(&mut self) -> Result<(), Problem> {
        let wanted = &mut self.wanted;
        let choice = wanted.choice.take();
        let (action, chance) = (wanted.action.take(), wanted.chance);
        let makes = choice.is_some() || action.is_some() || chance.is_some();
        if makes && self.game.is_over() {
            return Err(Problem::new(ProblemCode::SessionOver));
        }
        if let Some(choice) = choice {
            return choose(&mut self.game, choice);
        }
        if let Some(outcome) = chance {
            return Ok(self.game.draw(outcome)?);
        }
        if let Some(action) = action {
            let first = self.game.owing().first().copied().unwrap_or(1);
            if !self.game.act(first, &action)? {
                self.begun = action;
            }
        }
        Ok(())
    }

    /// Returns the seats whose perspective is wanted; `None` for everybody's.
    fn viewers(&self) -> Result<Vec<Option<u8>>, Problem> {
        let wanted = match (self.wanted.viewer, &self.wanted.viewers) {
            (None, None) => vec![("/viewer".to_owned(), StepViewer::Named(ViewerName::Public))],
            (Some(viewer), _) => vec![("/viewer".to_owned(), viewer)],
            (None, Some(viewers)) => {
                let place = |at| format!("/viewers/{at}");
                let viewers = viewers.iter().enumerate();
                viewers.map(|(at, viewer)| (place(at), *viewer)).collect()
            }
        };
        let seats = wanted.into_iter().map(|(pointer, viewer)| match viewer {
            StepViewer::Named(ViewerName::Public) => Ok(None),
            StepViewer::Named(ViewerName::Owing) => Ok(self.game.owing().first().copied()),
            StepViewer::Seat(seat) if usize::from(seat) <= self.game.program.seats => {
                Ok(Some(seat))
            }
            StepViewer::Seat(_) => Err(Problem::unprocessable(
                &pointer,
                "unknown seat; seats are numbered from 1",
            )),
        });
        seats.collect()
    }

    /// Describes the game as it is now.
    fn answer(&self, sealer: &Sealer) -> Result<StepAnswer<'_>, Problem> {
        let wish = Wish {
            parts: self.wanted.parts(),
            viewers: self.viewers()?,
            has_all_decisions: self.wanted.viewer.is_none() && self.wanted.viewers.is_none(),
            is_list: self.wanted.viewers.is_some(),
            language: self.language,
            begun: self.begun.clone(),
        };
        let state = wish.has(StepPart::State).then(|| self.game.seal(sealer));
        Ok(StepAnswer {
            state: state.transpose()?,
            ..wish.describe(&self.game)?
        })
    }

    /// Makes the step and returns the answer as text.
    fn made(mut self, sealer: &Sealer) -> Result<String, Problem> {
        self.take()?;
        respond::text(&self.answer(sealer)?)
    }
}

async fn unsealed(
    context: &JsonContext,
    sealer: &Sealer,
    state: &str,
    wanted: &NewStep,
) -> Result<StatelessGame, Problem> {
    let begins = wanted.game.is_some() || wanted.ruleset.is_some() || wanted.seed.is_some();
    let begins = begins || wanted.explicit_chance.is_some();
    if begins || wanted.seats.is_some() || !wanted.options.is_empty() {
        return Err(Problem::malformed(
            "/state",
            "a state contains its game, seats, options, seed and kind of chance; remove these members",
        ));
    }
    match context.service().unseal(sealer, state).await {
        Err(Refusal::NotFound) => Err(Problem::new(ProblemCode::NotFound)
            .detail("the state was not sealed by this server, or its rules no longer exist; begin a new game")),
        unsealed => Ok(unsealed?),
    }
}

async fn begun(context: &JsonContext, wanted: &NewStep) -> Result<StatelessGame, Problem> {
    let service = context.service();
    let (game, digest) = (wanted.game.as_deref(), wanted.ruleset.as_deref());
    let either = "send exactly one of `state`, `game` and `ruleset`";
    let ruleset = games::named(service, game, digest, either).await?;
    let fewest = ruleset.checked.seats.first().copied().unwrap_or(1);
    let seats = wanted.seats.map_or(fewest, usize::from);
    let luck = match wanted.explicit_chance {
        Some(true) => ChanceDecider::Explicit,
        _ => ChanceDecider::Seed(numbers::seed(wanted.seed.as_deref())?),
    };
    Ok(service.begin_stateless(ruleset, seats, &wanted.options, luck)?)
}

fn choose(game: &mut StatelessGame, choice: NewMove) -> Result<(), Problem> {
    let owing = game.owing();
    let (seat, choice) = choice_of(choice)?;
    let only = owing.first().copied().filter(|_| owing.len() == 1);
    let several = || Problem::unprocessable("/choice/seat", "several seats decide; send `seat`");
    // If nobody owes a decision, any seat learns the reason.
    let only = only.or(Some(1).filter(|_| owing.is_empty()));
    let seat = seat.or(only).ok_or_else(several)?;
    Ok(game.choose(seat, &choice)?)
}

/// Sampled states, and the budget that ran out before enough were found.
struct Worlds {
    sealed: Vec<String>,
    limit: Option<&'static str>,
}

/// Samples states. States found before the budget ran out are returned; finding none is a problem.
async fn worlds(
    context: &JsonContext,
    sealer: &Sealer,
    game: &StatelessGame,
    imagine: Imagine,
) -> Result<Worlds, Problem> {
    let Imagine { seat, count } = imagine;
    if !(1..=WORLDS_MAX).contains(&count) {
        let range = format!("the number of sampled states must be between 1 and {WORLDS_MAX}");
        return Err(Problem::malformed("/imagine/count", range));
    }
    let found: Arc<Mutex<Vec<Play>>> = Arc::default();
    let imagining = &context.app().heavy.imagining;
    let done = {
        let (game, found) = (game.clone(), found.clone());
        imagining.run(move || game.imagine(seat, count, &mut |world| found.lock().push(world)))
    };
    let done = done.await;
    let worlds = std::mem::take(&mut *found.lock());
    let limit = match done {
        Ok(imagined) => imagined.map(|()| None)?,
        Err(Unfinished::Spent { limit, .. }) if !worlds.is_empty() => Some(limit),
        Err(unfinished) => return Err(unfinished.into()),
    };
    let sealed = game.seal_worlds(sealer, worlds)?;
    Ok(Worlds { sealed, limit })
}
