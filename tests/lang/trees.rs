//! Which operator binds tighter, written out with all brackets.

use wyrmgate::diagnostic::{FileId, Report};
use wyrmgate::lang::Positions;
use wyrmgate::lang::ast::{BinaryOp, BinderCount, Expr, ExprKind, Name, StmtKind, UnaryOp};
use wyrmgate::lang::effect::{parse_block, parse_expr};

fn shown(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Int(number) => number.to_string(),
        ExprKind::Bool(truth) => truth.to_string(),
        ExprKind::None => "none".into(),
        ExprKind::It => "it".into(),
        ExprKind::Text(text) => format!("text{}", text.parts.len()),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::ItField(name, args) => format!(
            ".{}{}",
            name.text,
            args.as_deref().map_or(String::new(), list)
        ),
        ExprKind::Field(of, name, args) => {
            format!(
                "{}.{}{}",
                shown(of),
                name.text,
                args.as_deref().map_or(String::new(), list)
            )
        }
        ExprKind::Call(name, args) => format!("{}{}", name.text, list(args)),
        ExprKind::Index(of, index) => format!("{}[{}]", shown(of), shown(index)),
        ExprKind::List(items) => format!("list{}", list(items)),
        ExprKind::Range(low, high) => format!("({}..{})", shown(low), shown(high)),
        ExprKind::Unary(UnaryOp::Not, inner) => format!("(not {})", shown(inner)),
        ExprKind::Unary(UnaryOp::Negate, inner) => format!("(-{})", shown(inner)),
        ExprKind::Binary(op, left, right) => {
            format!("({} {} {})", shown(left), sign(*op), shown(right))
        }
        ExprKind::Is {
            subject,
            negated,
            what,
        } => {
            format!(
                "({} is{} {})",
                shown(subject),
                if *negated { " not" } else { "" },
                what.text
            )
        }
        ExprKind::If(a, b, c) => format!("(if {} then {} else {})", shown(a), shown(b), shown(c)),
        ExprKind::Where(of, condition) => format!("({} where {})", shown(of), shown(condition)),
        ExprKind::Sorted {
            of,
            key,
            descending,
        } => {
            format!(
                "({} by{} {})",
                shown(of),
                if *descending { " most" } else { "" },
                shown(key)
            )
        }
        ExprKind::With { of, key, most } => {
            format!(
                "({} with {} {})",
                shown(of),
                if *most { "most" } else { "least" },
                shown(key)
            )
        }
        ExprKind::Quantified {
            quantifier,
            name,
            of,
            condition,
        } => {
            format!(
                "({quantifier:?} {} in {} has {})",
                name.text,
                shown(of),
                shown(condition)
            )
        }
        ExprKind::Let { name, value, body } => {
            format!("(let {} = {}; {})", name.text, shown(value), shown(body))
        }
        ExprKind::Selections(binder) => {
            let count = match &binder.count {
                BinderCount::Exactly(count) => shown(count),
                BinderCount::UpTo(most) => format!("up to {}", shown(most)),
                BinderCount::One | BinderCount::Any | BinderCount::All => "any".into(),
            };
            format!("({count} {} in {})", binder.name.text, shown(&binder.of))
        }
        ExprKind::Cited(inner, cites) => format!("{}{}", shown(inner), clauses(cites)),
    }
}

fn list(items: &[Expr]) -> String {
    format!(
        "({})",
        items.iter().map(shown).collect::<Vec<_>>().join(", ")
    )
}

fn clauses(cites: &[Name]) -> String {
    format!(
        "[{}]",
        cites
            .iter()
            .map(|c| c.text.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    )
}

fn sign(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Or => "or",
        And => "and",
        Equal => "=",
        NotEqual => "!=",
        Less => "<",
        LessOrEqual => "<=",
        More => ">",
        MoreOrEqual => ">=",
        In => "in",
        NotIn => "not in",
        Add => "+",
        Subtract => "-",
        Multiply => "*",
        Divide => "/",
        Modulo => "mod",
        Portion => "",
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let mut report = Report::default();
    let expr = parse_expr(text, &Positions::straight(FileId(0), 0), &mut report);
    assert!(report.diagnostics.is_empty(), "{text}: {report:?}");
    assert_eq!(shown(&expr.unwrap()), expected, "{text}");
}

#[test]
fn operators_bind_as_the_reference_says() {
    check("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)");
    check("-a.b + c[1].d(2)", "((-a.b) + c[1].d(2))");
    check("1..plain + 5", "(1..(plain + 5))");
    check(
        "x in 1..3 and not y or z",
        "(((x in (1..3)) and (not y)) or z)",
    );
    check("not a = b", "(not (a = b))");
    check("a not in b", "(a not in b)");
    check("a is not b and c is none", "((a is not b) and (c is none))");
    check("7 mod 2 / 3", "((7 mod 2) / 3)");
    check("(1 + 2) * 3", "((1 + 2) * 3)");
    check(
        "let n = a + 1; b where c = n",
        "(let n = (a + 1); (b where (c = n)))",
    );
    check("1 + let n = 2; n * n", "(1 + (let n = 2; (n * n)))");
    check(
        "any(2 c in a + b where c > 1)",
        "any(((2 c in (a + b)) where (c > 1)))",
    );
    check("up to n c in a", "(up to n c in a)");
    check("any c in a where d", "((any c in a) where d)");
}

#[test]
fn filters_are_loosest_and_go_from_left_to_right() {
    check("a where .b > 1 or .c", "(a where ((.b > 1) or .c))");
    check("a where .b where .c", "((a where .b) where .c)");
    check(
        "a + b where .c sorted by most .d with least .e + 1",
        "((((a + b) where .c) by most .d) with least (.e + 1))",
    );
    check("count(a where it.b)", "count((a where it.b))");
}

#[test]
fn conditions_on_members_reach_far_but_not_over_a_filter() {
    check(
        "a and some x in s where .y has b or c",
        "(a and (Some x in (s where .y) has (b or c)))",
    );
    check(
        "s where no x in it has x.a and .b",
        "(s where (No x in it has (x.a and .b)))",
    );
    check(
        "if a then b else c + 1 where d",
        "((if a then b else (c + 1)) where d)",
    );
    check(
        "1 + if a then b else if c then d else e",
        "(1 + (if a then b else (if c then d else e)))",
    );
    check("not every x in s has x", "(not (Every x in s has x))");
}

#[test]
fn citations_belong_to_an_operand_of_and() {
    check(
        "a > 1 [AB-1] and b [AB-2 AB-3]",
        "((a > 1)[AB-1] and b[AB-2 AB-3])",
    );
    check("not a [AB-1]", "(not a)[AB-1]");
    check("2..5 [AB-1]", "(2..5)[AB-1]");
    check("s where .a [AB-1]", "(s where .a[AB-1])");
    check(
        "some x in s has x.a and x.b [AB-1]",
        "(Some x in s has (x.a and x.b))[AB-1]",
    );
    check("a[1] [AB-1, AB-2]", "a[1][AB-1 AB-2]");
}

#[track_caller]
fn check_phrase(text: &str, expected: &[&str], cites: &str) {
    let mut report = Report::default();
    let block = parse_block(text, &Positions::straight(FileId(0), 0), &mut report);
    assert!(report.diagnostics.is_empty(), "{text}: {report:?}");
    let StmtKind::Phrase { terms } = &block[0].kind else {
        panic!("{text}: {block:?}")
    };
    assert_eq!(terms.iter().map(shown).collect::<Vec<_>>(), expected);
    assert_eq!(clauses(&block[0].cites), cites);
}

#[test]
fn a_phrase_is_words_and_sums() {
    check_phrase("mine moves -1", &["mine", "moves", "(-1)"], "[]");
    check_phrase(
        "mine moves a - 1 [AB-1]",
        &["mine", "moves", "(a - 1)"],
        "[AB-1]",
    );
    check_phrase(
        "p has no cards in hand",
        &["p", "has", "no", "cards", "in", "hand"],
        "[]",
    );
    check_phrase(
        "p gives hand(p)[1] to others(p)",
        &["p", "gives", "hand(p)[1]", "to", "others(p)"],
        "[]",
    );
    check_phrase(
        "next player with [1, 2]",
        &["next", "player", "with", "list(1, 2)"],
        "[]",
    );
    check_phrase("c.played(s)", &["c.played(s)"], "[]");
    check_phrase("stop the clock", &["stop", "the", "clock"], "[]");
}
