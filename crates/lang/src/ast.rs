//! The syntax tree of the effect language: expressions, statements and signatures, each with its location.
//!
//! The documentation of a variant is the text it represents. Nothing here has been checked: names are spelled, not
//! resolved.

pub use crate::effect::statement::StmtKind;
pub use crate::effect::table::{Part, PartMut};
use wyrmgate_base::diagnostic::Span;

/// A word and its location.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

impl Name {
    pub fn new(text: impl Into<String>, span: Span) -> Name {
        Name {
            text: text.into(),
            span,
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub enum ExprKind {
    /// `7`
    Int(i32),
    /// `true`, `false`
    Bool(bool),
    /// `none`
    #[default]
    None,
    /// `"Move {d} by {n}"`
    Text(Text),
    /// `deck`, `active`, `red`, `dragons`, `mount`: a bare word
    Name(Name),
    /// `it`: the member that a filter examines
    It,
    /// `.rank`, `.fits(s)`: short for `it.rank`, `it.fits(s)`
    ItField(Name, Option<Vec<Expr>>),
    /// `d.rider`, `c.fits(s)`
    Field(Box<Expr>, Name, Option<Vec<Expr>>),
    /// `hand(p)`, `count(deck)`
    Call(Name, Vec<Expr>),
    /// `score[p]`
    Index(Box<Expr>, Box<Expr>),
    /// `[red, blue]`
    List(Vec<Expr>),
    /// `1..7`
    Range(Box<Expr>, Box<Expr>),
    /// `not x`, `-x`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`, `a <= b`, `a and b`, `x in s`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `s is empty`, `d is not ridden`, `c is ice`
    Is {
        subject: Box<Expr>,
        negated: bool,
        what: Name,
    },
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `dragons where .rank > 3`
    Where(Box<Expr>, Box<Expr>),
    /// `cards sorted by .value`, `cards sorted by most .value` (descending)
    Sorted {
        of: Box<Expr>,
        key: Box<Expr>,
        descending: bool,
    },
    /// `dragons with most .at`, `dragons with least .at`: all members with the extreme value
    With {
        of: Box<Expr>,
        key: Box<Expr>,
        most: bool,
    },
    /// `some d in dragons has d.space = s`, `every …`, `no …`
    Quantified {
        quantifier: Quantifier,
        name: Name,
        of: Box<Expr>,
        condition: Box<Expr>,
    },
    /// `let n = count(hand(p)); n * n`: a name for a value, which is evaluated once
    Let {
        name: Name,
        value: Box<Expr>,
        body: Box<Expr>,
    },
    /// `2 c in hand(p)`, `any c in …`: every selection of several members
    Selections(Box<Binder>),
    /// `steps(e) > 0 [WAY-06 WAY-07]`: an operand of `and`, or a whole condition, with the clauses it implements
    Cited(Box<Expr>, Vec<Name>),
}

/// Returns the name and the list of `x in S` in place of a list, with or without filters: `x in S where …`.
pub fn named_list(expr: &Expr) -> Option<(&Name, &Expr)> {
    match &expr.kind {
        ExprKind::Where(of, _) | ExprKind::Sorted { of, .. } | ExprKind::With { of, .. } => {
            named_list(of)
        }
        ExprKind::Binary(BinaryOp::In, name, of) => match &name.kind {
            ExprKind::Name(name) => Some((name, of)),
            _ => None,
        },
        ExprKind::Selections(binder) => Some((&binder.name, &binder.of)),
        _ => None,
    }
}

/// Declares the walk over the direct parts of an expression, which either reads or changes them.
macro_rules! parts {
    ($(#[$doc:meta])* $name:ident, $iter:ident $(, $mut:ident)?) => {
        $(#[$doc])*
        pub fn $name(&$($mut)? self) -> Vec<&$($mut)? Expr> {
            match &$($mut)? self.kind {
                ExprKind::Int(_)
                | ExprKind::Bool(_)
                | ExprKind::None
                | ExprKind::Name(_)
                | ExprKind::It => Vec::new(),
                ExprKind::Text(text) => {
                    let holes = text.parts.$iter().filter_map(|part| match part {
                        TextPart::Hole(value, _) => Some(value),
                        TextPart::Literal(_) => None,
                    });
                    holes.collect()
                }
                ExprKind::ItField(_, args) => args.$iter().flatten().collect(),
                ExprKind::Field(of, _, args) => {
                    let args = args.$iter().flatten();
                    std::iter::once(&$($mut)? **of).chain(args).collect()
                }
                ExprKind::Call(_, items) | ExprKind::List(items) => items.$iter().collect(),
                ExprKind::Unary(_, one)
                | ExprKind::Cited(one, _)
                | ExprKind::Is { subject: one, .. } => vec![one],
                ExprKind::Index(a, b)
                | ExprKind::Range(a, b)
                | ExprKind::Binary(_, a, b)
                | ExprKind::Where(a, b)
                | ExprKind::Sorted { of: a, key: b, .. }
                | ExprKind::With { of: a, key: b, .. }
                | ExprKind::Quantified { of: a, condition: b, .. }
                | ExprKind::Let { value: a, body: b, .. } => vec![a, b],
                ExprKind::Selections(binder) => match &$($mut)? binder.count {
                    BinderCount::Exactly(count) | BinderCount::UpTo(count) => {
                        vec![count, &$($mut)? binder.of]
                    }
                    BinderCount::One | BinderCount::Any | BinderCount::All => {
                        vec![&$($mut)? binder.of]
                    }
                },
                ExprKind::If(a, b, c) => vec![a, b, c],
            }
        }
    };
}

impl Expr {
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr { kind, span }
    }

    /// Returns the expression and all expressions in it, each before its parts.
    pub fn all(&self) -> impl Iterator<Item = &Expr> {
        let mut next = vec![self];
        std::iter::from_fn(move || {
            let expr = next.pop()?;
            next.extend(expr.parts().into_iter().rev());
            Some(expr)
        })
    }

    /// Returns the bare word of which it consists.
    pub fn as_name(&self) -> Option<&Name> {
        match &self.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        }
    }

    parts!(
        /// Returns the direct parts of an expression.
        parts, iter
    );
    parts!(
        /// Returns the direct parts of an expression, to change them.
        parts_mut, iter_mut, mut
    );
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    Not,
    Negate,
}

wyrmgate_base::named_enum! {
    /// Operators with two operands, as they are written in rules.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum BinaryOp {
        Or = "or",
        And = "and",
        Equal = "=",
        NotEqual = "!=",
        Less = "<",
        LessOrEqual = "<=",
        More = ">",
        MoreOrEqual = ">=",
        In = "in",
        NotIn = "not in",
        Add = "+",
        Subtract = "-",
        Multiply = "*",
        /// Rounds toward zero; division by zero gives zero.
        Divide = "/",
        /// Has the sign of the divisor; modulo zero gives zero.
        Modulo = "mod",
        /// `2 wood`: has no sign.
        Portion = "",
    }
}

impl BinaryOp {
    /// Returns the operator as it is written in rules.
    pub fn sign(self) -> &'static str {
        self.name()
    }

    /// Returns whether it compares two values.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(
            self,
            Equal | NotEqual | Less | LessOrEqual | More | MoreOrEqual
        )
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    Some,
    Every,
    No,
}

/// A text with holes.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    pub parts: Vec<TextPart>,
    pub span: Span,
}

impl Text {
    /// Returns the key of its translation: `Play {c}`.
    pub fn key(&self) -> String {
        let parts = self.parts.iter().map(|part| match part {
            TextPart::Literal(words) => words.replace('\\', r"\\").replace('{', r"\{"),
            TextPart::Hole(_, written) => format!("{{{written}}}"),
        });
        parts.collect()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum TextPart {
    Literal(String),
    /// `{d.color}`, and the text between the braces
    Hole(Expr, String),
}

pub type Block = Vec<Stmt>;

#[derive(Debug, Clone, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
    /// `… [MAG-20]` at the end of the line
    pub cites: Vec<Name>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetOp {
    Set,
    Add,
    Subtract,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    Up,
    Down,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// After all others: the top of a pile, the right end of a row.
    Top,
    /// `at bottom`: before all others
    Bottom,
    /// `at 3`: becomes the third from the bottom or the left
    At(Expr),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Finish {
    RankedBy { keys: Vec<Expr>, ties_drawn: bool },
    WonBy(Expr),
    Drawn,
}

/// The order of `turns`: `by direction skipping missed repeating extra`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TurnOrder {
    /// How many seats further the next turn is; by default 1.
    pub by: Option<Expr>,
    /// The variable that counts the turns that each seat misses
    pub skipping: Option<Expr>,
    /// The variable that counts the turns that each seat takes again
    pub repeating: Option<Expr>,
}

impl TurnOrder {
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let TurnOrder {
            by,
            skipping,
            repeating,
        } = self;
        [by, skipping, repeating].into_iter().flatten()
    }

    pub fn exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let TurnOrder {
            by,
            skipping,
            repeating,
        } = self;
        [by, skipping, repeating].into_iter().flatten()
    }
}

/// A decision.
///
/// ```text
/// choose c in hand(p) where .rank > 2 by p "Discard a card" [MAG-18]     the rest of the block follows, if there was a choice
/// choose 2 p in pieces on(e): swap first(p) with last(p)                 a body of its own …
/// else: …                                                                … and what happens when there is no choice
/// choose any d in dice "Roll which dice again?"                          a subset
/// choose s in seats at random                                            answered by chance
/// choose m in moves as often as possible: …                              repeated, only with choices of a longest sequence
/// choose c in row at random weighted by .odds                            … with these probabilities
/// each p in seats chooses c in hand(p)                                   secretly and at once; afterwards `c[p]`
/// any p in others(active) may choose c in hand(p)                        the first seat to answer
/// any p in seats may choose … until all decline up to 9 times: …         … again and again, in any order
/// may choose c in hand(p)                                                may be declined; `each p in seats may choose …`
/// choose "Your move" by p [WAY-11]:                                      one of several kinds of choice
///   option move e in paths where can_go(e): …
///   option call "Call the dragon" a in pieces, b in pieces where .path = a.path if count(d) > 3: …
/// else: …
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Choose {
    /// `by p`; by default the active seat decides
    pub who: Option<Expr>,
    /// `each p in seats chooses …`: several seats at the same time, in secret; `any p in seats chooses …`
    pub each: Option<(Name, Expr)>,
    /// `any p in seats chooses …`: the first of the seats that chooses decides for all
    pub first: bool,
    /// `in any case`: a seat that can only decline gets a decision, too.
    pub always: bool,
    pub prompt: Option<Text>,
    pub at_random: bool,
    /// `at random weighted by .odds`
    pub weight: Option<Expr>,
    /// `as often as possible`, `until all decline`: the decision repeats itself.
    pub sequence: Option<Sequence>,
    /// `may choose`: declining is one more choice.
    pub may: bool,
    pub options: Vec<ChooseOption>,
    /// The body after `:`. `None`: the rest of the enclosing block is the body. Always `None` when options are listed.
    pub body: Option<Block>,
    pub otherwise: Option<Block>,
}

/// How a decision repeats itself: `as often as possible`, `for most .worth`, `… up to 4`, `until all decline up to 9 times`.
#[derive(Debug, Clone, PartialEq)]
pub struct Sequence {
    /// The worth of each choice. Defaults to 1.
    pub worth: Option<Expr>,
    /// The most that a sequence is worth, or as much of it as is wanted. Until all decline: how often at most.
    pub most: Option<Expr>,
    /// `until all decline`: all seats are asked again after each choice.
    pub until_all: bool,
    /// `up to 4 times each`: the limit is that of each seat.
    pub each: bool,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ChooseOption {
    /// `move` in `option move e in paths: …`; `None` for a plain `choose`
    pub name: Option<Name>,
    pub label: Option<Text>,
    pub binders: Vec<Binder>,
    /// `… if cond`
    pub condition: Option<Expr>,
    /// `… default`, `… default where cond`
    pub default: Option<ByDefault>,
    pub cites: Vec<Name>,
    /// `None` for a plain `choose`
    pub body: Option<Block>,
    pub span: Span,
}

/// The default when a seat's time runs out: the first choice, or the first one that fulfills a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct ByDefault {
    pub condition: Option<Expr>,
    pub span: Span,
}

/// `c in hand(p)`, `2 d in dice`, `any d in dice`, `up to 3 c in hand(p)`, `ordered c in hand(p)`, `ordered 2 c in hand(p)`,
/// `repeated 5 c in S`, `path s from k in steps(it)`, `text t up to 20 letters where …`, `for each a in S`
#[derive(Debug, Clone, PartialEq)]
pub struct Binder {
    pub name: Name,
    pub count: BinderCount,
    pub form: Form,
    pub of: Expr,
}

/// How several members are chosen.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// Each at most once, in the order of the list.
    Plain,
    /// Each at most once, in any order.
    Ordered,
    /// Each any number of times, in the order of the list.
    Repeated,
    /// One after the other, from this value on: the list of each depends on those before.
    Path(Box<Expr>),
    /// A text that the seat writes: `text t up to 20 letters`. The list is empty.
    Written,
    /// The member about which the seat is asked: `for each a in units(p)`. The list is that of all members.
    Member,
}

#[derive(Debug, Clone, PartialEq)]
pub enum BinderCount {
    One,
    /// `any`: every subset, including the empty one
    Any,
    Exactly(Expr),
    UpTo(Expr),
    /// `ordered` without a number: all of them. `path` without a number: until nothing follows
    All,
}

/// `int` and `up to 12 deep` of `int best(cards h) up to 12 deep`: a query that may use itself.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recursion {
    pub result: Option<Name>,
    pub deep: Option<(u16, Span)>,
}

/// The signature of an effect or a query.
#[derive(Debug, Clone, PartialEq)]
pub enum Signature {
    /// `seat p loses a coin to seat q`: words and parameters; the checker distinguishes them
    Phrase(Vec<Name>),
    /// `fits(card c, stack s)`
    Call {
        name: Name,
        params: Vec<Param>,
        recursion: Recursion,
    },
}

impl Signature {
    /// Returns the name of a function, or the first word of a phrase.
    pub fn first_word(&self) -> Option<&Name> {
        match self {
            Signature::Call { name, .. } => Some(name),
            Signature::Phrase(words) => words.first(),
        }
    }

    /// Returns whether this is `resigns(seat p)`, or meant to be.
    pub fn is_of_resigning(&self) -> bool {
        matches!(self, Signature::Call { name, .. } if name.text == RESIGNS)
    }
}

/// The effect that runs when a seat resigns.
pub const RESIGNS: &str = "resigns";
/// The variable that says of each seat whether it has resigned.
pub const RESIGNED: &str = "resigned";

#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    pub of: Name,
    pub name: Name,
}
