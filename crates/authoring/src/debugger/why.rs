//! Why a choice is offered or not: every condition on it, with its place in the rules and its result.

use std::sync::Arc;

use serde_json::{Value, json};

use super::AUTHOR;
use super::course::{Course, read};
use wyrmgate_base::diagnostic::{Sources, Span};
use wyrmgate_engine::{Pending, State, Test, Tested, pending, refused, tested};
use wyrmgate_program::{Program, SiteOption, Type};
use wyrmgate_view::{Rejection, TemplateOption, name_of_value, sentence, template};

/// Answers for a choice, written as in scenarios and in requests, in the position in which the game waits next after this
/// many moments.
pub fn why(course: &Course, moments: usize, choice: &Value) -> Result<String, String> {
    let (program, sources) = (&course.game.program, &course.game.sources);
    let state = waiting(course, moments).ok_or("the game asks nobody from here on")?;
    let (owed, read) = read(program, state, choice)?;
    let tested = tested(program, state, &owed, &read).map_err(|fault| sentence(&fault))?;
    let refused = refused(program, state, &owed, &read).map_err(|fault| sentence(&fault))?;
    let lines = tested.iter().map(|tested| line(program, sources, tested));
    let end = match refused {
        None => "offered".to_owned(),
        Some(refused) => {
            let rejection = Rejection::of(program, state, owed.seat, refused);
            format!("not offered: {}", rejection.message)
        }
    };
    Ok(lines.chain([end]).collect::<Vec<String>>().join("\n"))
}

/// Returns the position in which the game waits next.
fn waiting(course: &Course, moments: usize) -> Option<&Arc<State>> {
    let rests = &course.tape.rests;
    let next = rests.partition_point(|(before, _)| *before < moments);
    let state = rests.get(next).map(|(_, state)| state);
    state.filter(|state| !state.is_finished())
}

/// Returns what [`why`] can be asked about: the options of each seat that the game asks next, offered or not, with their names
/// and an example of each value that is offered.
pub fn asked(course: &Course, moments: usize) -> Vec<Value> {
    let program = &*course.game.program;
    let Some(state) = waiting(course, moments) else {
        return Vec::new();
    };
    let described = |owed: &Pending| {
        let site = program.site(owed.site)?;
        let offered = template(program, state, owed).unwrap_or_default();
        let options = site.options.iter();
        let options = options.map(|option| asked_option(option, &offered));
        let options: Vec<Value> = options.collect();
        Some(json!({"seat": owed.seat + 1, "decision": site.name, "options": options}))
    };
    let owed = pending(program, state);
    owed.iter().filter_map(described).collect()
}

fn asked_option(option: &SiteOption, offered: &[TemplateOption]) -> Value {
    let name = (!option.name.is_empty()).then_some(&option.name);
    let same = offered.iter().find(|one| one.option.as_ref() == name);
    let example = |binder: &str| {
        let arg = same.and_then(|same| same.args.iter().find(|arg| arg.name == binder));
        let values = arg.and_then(|arg| arg.values.as_deref());
        let values = values.unwrap_or_default();
        values.first().cloned().map_or(Value::Null, Value::from)
    };
    let args = option.binders.iter();
    let args: Vec<Value> = args
        .map(|binder| json!({"name": binder.name, "example": example(&binder.name)}))
        .collect();
    json!({"option": name, "args": args})
}

fn line(program: &Program, sources: &Sources, tested: &Tested) -> String {
    let mark = if tested.holds { '✓' } else { '✗' };
    match &tested.what {
        Test::InList(named, value) => {
            let name = name_of(program, *value, named.of);
            format!("{mark} {} = {name} is in its list", named.name)
        }
        Test::Condition(condition) => {
            let clauses = condition.cites.iter();
            let clauses = clauses.filter_map(|id| program.prose.clauses.get(usize::from(*id)));
            let clauses: String = clauses.map(|clause| format!(" [{}]", clause.id)).collect();
            format!("{mark} {}{clauses}", place(sources, condition.span))
        }
    }
}

fn name_of(program: &Program, value: i32, of: Type) -> String {
    name_of_value(program, AUTHOR, value, of).into_owned()
}

/// Formats `my-game/game.yaml:157  c is free`.
pub fn place(sources: &Sources, span: Span) -> String {
    let Some(source) = sources.get(span.file) else {
        return String::new();
    };
    let (line, _) = sources.line_column(span.file, span.start);
    let text = source.text.get(span.start as usize..span.end as usize);
    let text: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
    format!("{}:{line}  {}", source.path, text.join(" "))
}
