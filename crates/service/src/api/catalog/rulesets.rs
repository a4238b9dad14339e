//! `/v1/rulesets/{digest}`: the rules of a game, immutable under this digest.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::api::catalog::arguments::{ArgumentDoc, arguments, type_name};
use crate::api::catalog::{games, schemas};
use crate::api::request::call::{ApiCall, Handled};
use crate::api::response::respond;
use crate::api::shared::language;
use crate::api::shared::problem::{ClauseText, Problem, ProblemCode};
use wyrmgate_authoring::rules::Ruleset;
use wyrmgate_program::{FieldInfo, Language, Op, Program, See, Site, SiteId, VarRole};
use wyrmgate_spaces::Spaces;

/// The rules of a game with its default options and the smallest number of seats.
#[derive(Serialize, ToSchema)]
pub struct RulesetDoc {
    digest: String,
    game: String,
    /// The number of seats that is described.
    #[schema(minimum = 1, maximum = 8)]
    seats: usize,
    /// Kinds of components, such as cards, tiles, dice and pieces.
    kinds: Vec<KindDoc>,
    zones: Vec<ZoneFamilyDoc>,
    /// Types whose values have names.
    types: Vec<TypeDoc>,
    vars: Vec<VarDoc>,
    /// The places where a seat decides.
    decisions: Vec<DecisionInfo>,
    /// The places where the game ends.
    endings: Vec<EndingInfo>,
    schemas: SchemaDocs,
    /// The clauses of the rules.
    clauses: Vec<ClauseText>,
    /// The source files.
    sources: Vec<SourceDoc>,
}

/// A kind of component.
#[derive(Serialize, ToSchema)]
pub struct KindDoc {
    name: String,
    title: String,
    text: String,
    /// The kind that this one extends.
    #[serde(skip_serializing_if = "Option::is_none")]
    family: Option<String>,
    fields: Vec<FieldDoc>,
    /// The ids of its components.
    components: Vec<String>,
}

/// A field of a component or zone.
#[derive(Serialize, ToSchema)]
pub struct FieldDoc {
    name: String,
    /// `number`, `bool`, `seat`, `component`, `zone`, `place`, `side`, or the name of a type. `bundle of` a type is an
    /// object from the names of its values to numbers: `{"wood": 2, "ore": 0}`.
    #[serde(rename = "type")]
    of: String,
    /// Whether the field is visible when the component is face down.
    on_back: bool,
}

/// Zones that differ only by their keys.
#[derive(Serialize, ToSchema)]
pub struct ZoneFamilyDoc {
    name: String,
    title: String,
    /// `track`, `grid`, or `table` for tiles on an open grid. Absent if the zones are not a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<&'static str>,
    /// Who sees the contents: `all`, `owner`, `count`, `nothing`, `top`, or `condition`.
    see: &'static str,
    /// The ids of the zones.
    zones: Vec<String>,
}

/// A type whose values have names.
#[derive(Serialize, ToSchema)]
pub struct TypeDoc {
    name: String,
    values: Vec<String>,
    /// The titles of the values.
    titles: Vec<String>,
}

/// A variable of the game.
#[derive(Serialize, ToSchema)]
pub struct VarDoc {
    /// As in events. A record has an entry for each part, `bid.amount`; views show it as one object, `bid`.
    name: String,
    title: String,
    /// The type of its values: `number`, `bool`, `seat`, a type of the rules, …
    #[serde(rename = "type")]
    of: String,
    /// What it has a value for, if it has several: `seat`, a kind, a zone, a type of the rules, …
    #[serde(skip_serializing_if = "Option::is_none")]
    each: Option<String>,
}

/// A place in the rules where a seat decides.
#[derive(Serialize, ToSchema)]
pub struct DecisionInfo {
    /// The name that decisions and standing orders use.
    name: String,
    options: Vec<RulesetOption>,
    /// Whether the rules declare a default choice for a seat that runs out of time.
    has_default: bool,
    /// Ids of the clauses that the decision implements.
    clauses: Vec<String>,
}

/// A place in the rules where the game ends.
#[derive(Serialize, ToSchema)]
pub struct EndingInfo {
    /// `won`, `drawn` or `ranked`.
    result: &'static str,
    /// Ids of the clauses that it implements, or the condition before it.
    clauses: Vec<String>,
}

/// One kind of choice.
#[derive(Serialize, ToSchema)]
#[schema(as = OptionInfo)]
pub struct RulesetOption {
    /// Empty if the decision has only one option.
    name: String,
    title: String,
    args: Vec<ArgumentDoc>,
}

/// JSON Schemas (2020-12) of the documents of this game, with the names of its rules. They are valid for any number of
/// seats and any options.
#[derive(Serialize, ToSchema)]
pub struct SchemaDocs {
    /// Schema of `state` in a view.
    #[schema(value_type = Object, additional_properties)]
    view: Value,
    /// Schema of a choice.
    #[schema(value_type = Object, additional_properties)]
    choice: Value,
    /// Schema of an event.
    #[schema(value_type = Object, additional_properties)]
    event: Value,
}

/// A file of rules.
#[derive(Serialize, ToSchema)]
pub struct SourceDoc {
    path: String,
    text: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct RulesetPath {
    /// The digest of a ruleset.
    pub digest: String,
}

/// Get a ruleset
///
/// The rules as they were when a session used them or somebody stored them, by the digest of their text.
#[utoipa::path(
    get, path = "/v1/rulesets/{digest}",
    operation_id = "getRuleset", tag = "games", params(RulesetPath),
    responses(
        (status = 200, description = "The ruleset", body = RulesetDoc),
        (status = 304, description = "Not modified"),
    ),
    extensions(("x-language" = json!(true))),
)]
pub async fn get(ApiCall { context, path, .. }: ApiCall<RulesetPath>) -> Handled {
    let ruleset = games::named(context.service(), None, Some(&path.digest), "").await?;
    let languages = &ruleset.checked.languages;
    let language = context.accepted.among(languages);
    let tag = language::tag_of(languages, language);
    let etag = format!("\"{};{tag}\"", ruleset.digest);
    let cached = "public, max-age=31536000, immutable";
    let (mut response, is_known) = respond::with_tag(&context.request, &etag, cached);
    let response = match is_known {
        true => response.finish(),
        false => respond::finish(response, &describe(&ruleset, language)?)?,
    };
    Ok(language::said(response, [tag]))
}

fn describe(ruleset: &Ruleset, language: Language) -> Result<RulesetDoc, Problem> {
    let seats = ruleset.checked.seats.first().copied().unwrap_or(1);
    let program = ruleset
        .program(seats, &Default::default())
        .map_err(|problems| {
            tracing::error!(?problems, "a checked ruleset failed to compile");
            Problem::new(ProblemCode::Internal)
        })?;
    let sources = ruleset.sources.iter();
    Ok(RulesetDoc {
        digest: ruleset.digest.clone(),
        game: ruleset.name.clone(),
        seats,
        kinds: kinds(&program, language),
        zones: zones(&program, language),
        types: types(&program, language),
        vars: vars(&program, language),
        decisions: decisions(&program, language),
        endings: endings(&program),
        schemas: SchemaDocs {
            view: schemas::view(&program),
            choice: schemas::choices(&program),
            event: schemas::events(&program),
        },
        clauses: clauses(&program, language),
        sources: sources
            .map(|(_, source)| SourceDoc {
                path: source.path.clone(),
                text: source.text.to_string(),
            })
            .collect(),
    })
}

fn kinds(program: &Program, language: Language) -> Vec<KindDoc> {
    let describe = |kind: &wyrmgate_program::KindInfo| {
        let family = kind.family.and_then(|id| program.kind(id));
        let own = program
            .component_names()
            .skip(kind.first as usize)
            .take(kind.count as usize);
        KindDoc {
            name: kind.name.clone(),
            title: kind.title.get(language).to_owned(),
            text: kind.text.get(language).to_owned(),
            family: family.map(|family| family.name.clone()),
            fields: kind.fields.iter().map(|f| field(program, f)).collect(),
            components: own.map(str::to_owned).collect(),
        }
    };
    program.kinds.iter().map(describe).collect()
}

fn field(program: &Program, field: &FieldInfo) -> FieldDoc {
    FieldDoc {
        name: field.name.clone(),
        of: type_name(program, field.of),
        on_back: field.on_back,
    }
}

fn zones(program: &Program, language: Language) -> Vec<ZoneFamilyDoc> {
    let describe = |family: &wyrmgate_program::FamilyInfo| {
        let zones = program.zones.iter().skip(usize::from(family.first));
        let zones: Vec<_> = zones.take(usize::from(family.count)).collect();
        let names = program.zone_names().skip(usize::from(family.first));
        let names = names.take(usize::from(family.count));
        ZoneFamilyDoc {
            name: family.name.clone(),
            title: family.title.get(language).to_owned(),
            board: board(family),
            see: zones.first().map_or("all", |zone| see(zone.see)),
            zones: names.map(str::to_owned).collect(),
        }
    };
    program.families.iter().map(describe).collect()
}

fn board(family: &wyrmgate_program::FamilyInfo) -> Option<&'static str> {
    match (family.open_grid, family.grid, family.track) {
        (true, ..) => Some("table"),
        (_, Some(_), _) => Some("grid"),
        (.., Some(_)) => Some("track"),
        _ => None,
    }
}

fn decisions(program: &Program, language: Language) -> Vec<DecisionInfo> {
    let spaces = Spaces::of(program);
    let sites = (0..).zip(&program.sites);
    let sites = sites.filter(|(_, site)| !site.name.is_empty());
    sites
        .map(|(number, site)| decision(program, &spaces, number, site, language))
        .collect()
}

fn decision(
    program: &Program,
    spaces: &Spaces,
    number: SiteId,
    site: &Site,
    language: Language,
) -> DecisionInfo {
    let clause = |id: &u16| program.prose.clauses.get(usize::from(*id));
    let declared = site.options.iter().any(|option| option.default.is_some());
    let options = (0..).zip(&site.options);
    let options = options.map(|(at, option)| {
        let space = spaces.actions.option(number, at);
        RulesetOption {
            name: option.name.clone(),
            title: option.title.get(language).to_owned(),
            args: space.map_or_else(Vec::new, |space| {
                arguments(program, spaces, space, &option.binders)
            }),
        }
    });
    DecisionInfo {
        name: site.name.clone(),
        options: options.collect(),
        has_default: declared || site.may_decline || site.is_ask,
        clauses: site
            .cites
            .iter()
            .filter_map(clause)
            .map(|c| c.id.clone())
            .collect(),
    }
}

fn see(see: See) -> &'static str {
    match see {
        See::All => "all",
        See::Owner => "owner",
        See::Count => "count",
        See::Nothing => "nothing",
        See::Top => "top",
        See::If(_) => "condition",
    }
}

fn types(program: &Program, language: Language) -> Vec<TypeDoc> {
    let describe = |info: &wyrmgate_program::EnumInfo| TypeDoc {
        name: info.name.clone(),
        values: info.values.clone(),
        titles: info
            .titles
            .iter()
            .map(|title| title.get(language).to_owned())
            .collect(),
    };
    program.enums.iter().map(describe).collect()
}

fn vars(program: &Program, language: Language) -> Vec<VarDoc> {
    let own = program.vars.iter();
    let own = own.filter(|var| !var.internal && var.role != VarRole::Members);
    own.map(|var| VarDoc {
        name: var.name.clone(),
        title: var.title.get(language).to_owned(),
        of: type_name(program, var.of),
        each: var.index.map(|index| type_name(program, index)),
    })
    .collect()
}

fn endings(program: &Program) -> Vec<EndingInfo> {
    let mut endings = Vec::new();
    let mut before: &[u16] = &[];
    for (op, cites) in program.code.ops.iter().zip(&program.code.cites) {
        let result = if matches!(op, Op::FinishWonBy(_)) {
            "won"
        } else if matches!(op, Op::FinishDrawn) {
            "drawn"
        } else if matches!(op, Op::FinishRanked(_)) {
            "ranked"
        } else {
            let test = if let Op::JumpUnless(test, _) = op {
                Some(*test)
            } else {
                None
            };
            before = test.map_or(&[], |test| program.cites_of(test));
            continue;
        };
        let own = if cites.is_empty() { before } else { cites };
        let clauses = own
            .iter()
            .filter_map(|id| program.prose.clauses.get(usize::from(*id)));
        let clauses = clauses.map(|clause| clause.id.clone()).collect();
        endings.push(EndingInfo { result, clauses });
    }
    endings
}

fn clauses(program: &Program, language: Language) -> Vec<ClauseText> {
    let clauses = program.prose.clauses.iter();
    clauses
        .map(|clause| {
            let text = clause.text.get(language).to_owned();
            ClauseText::new(clause.id.clone(), vec![(String::new(), text)])
        })
        .collect()
}
