//! The form of the table of statements, in the spirit of `operations!`.
//!
//! Each row states the parts of a statement in the order in which they are written, and the type of a part states what
//! it is: a [`Bound`] name is bound to what follows it, a [`Condition`] is tested, a `Block` is run. A row also states
//! the words with which the statement begins, with their form and documentation. Walks over definitions, mutation,
//! advice, completion, hover and the parser of ordinary statements read the rows, so a new statement needs no change
//! there, and a part of an unknown type does not compile.

use crate::ast::{Block, Choose, Expr, Face, Name, Place, Text, TurnOrder};

/// A name that is bound to the next value, or to each of its members.
pub type Bound = Name;
/// The name of the seat that answers, if several are asked.
pub type BoundSeat = Option<Name>;
/// The way from seat to seat in which they take turns.
pub type Order = TurnOrder;
/// The condition of a block.
pub type Condition = Expr;
/// A number of times; `None`: until the loop is left.
pub type Times = Option<Expr>;
/// The seat that decides; `None`: the active one.
pub type Decider = Option<Expr>;
/// The seats that receive it; `None`: everybody.
pub type Audience = Option<Expr>;
/// Whether `secretly` is written at the end.
pub type Secretly = bool;
/// A number of quarter turns.
pub type Turned = Option<Expr>;
/// The face of components after a move; `None`: the usual one.
pub type Side = Option<Face>;
/// Conditions with their blocks; the first one that holds is run.
pub type Arms = Vec<(Expr, Block)>;
/// The block after `else:`.
pub type Else = Option<Block>;
pub type Decision = Box<Choose>;
pub type Terms = Vec<Expr>;

/// A part of a statement.
#[derive(Debug)]
pub enum Part<'s> {
    Value(&'s Expr),
    Condition(&'s Expr),
    Text(&'s Text),
    /// A name that the next value binds.
    Bound(&'s Name),
    /// A name that a decision binds to one or several members of the next list.
    Chosen(&'s Name),
    /// Clauses that a part of the statement implements.
    Cites(&'s [Name]),
    Block(&'s Block),
}

/// A part that can be changed without knowing the statement.
#[derive(Debug)]
pub enum PartMut<'s> {
    Value(&'s mut Expr),
    Block(&'s mut Block),
    Place(&'s mut Place),
    Side(&'s mut Side),
    Turned(&'s mut Turned),
}

/// A word with which a statement begins.
#[derive(Debug, Clone, Copy)]
pub struct StatementWord {
    pub word: &'static str,
    /// An example.
    pub form: &'static str,
    /// The advice for a statement that does not parse.
    pub usage: &'static str,
    pub about: &'static str,
    pub begins: Begins,
}

/// When a word begins a statement of the language, and not a call of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begins {
    Always,
    /// Only if nothing follows it.
    Alone,
    /// Only if a block follows it.
    Block,
}

/// Pushes the parts of a type.
macro_rules! part {
    (Expr, $value:ident, $all:ident) => {
        $all.push(Part::Value($value))
    };
    (Condition, $value:ident, $all:ident) => {
        $all.push(Part::Condition($value))
    };
    (Bound, $value:ident, $all:ident) => {
        $all.push(Part::Bound($value))
    };
    (BoundSeat, $value:ident, $all:ident) => {
        $all.extend($value.iter().map(Part::Bound))
    };
    (Order, $value:ident, $all:ident) => {
        $all.extend($value.exprs().map(Part::Value))
    };
    (Block, $value:ident, $all:ident) => {
        $all.push(Part::Block($value))
    };
    (Text, $value:ident, $all:ident) => {
        $all.push(Part::Text($value))
    };
    (Place, $value:ident, $all:ident) => {
        if let Place::At(at) = $value {
            $all.push(Part::Value(at))
        }
    };
    (Arms, $value:ident, $all:ident) => {
        for (condition, block) in $value {
            $all.extend([Part::Condition(condition), Part::Block(block)])
        }
    };
    (Else, $value:ident, $all:ident) => {
        $all.extend($value.iter().map(Part::Block))
    };
    (Decision, $value:ident, $all:ident) => {
        $value.add_parts(&mut $all)
    };
    (Finish, $value:ident, $all:ident) => {
        $all.extend($value.values().iter().map(Part::Value))
    };
    (Times, $value:ident, $all:ident) => {
        $all.extend($value.iter().map(Part::Value))
    };
    (Decider, $value:ident, $all:ident) => {
        part!(Times, $value, $all)
    };
    (Audience, $value:ident, $all:ident) => {
        part!(Times, $value, $all)
    };
    (Turned, $value:ident, $all:ident) => {
        part!(Times, $value, $all)
    };
    (Terms, $value:ident, $all:ident) => {
        part!(Times, $value, $all)
    };
    (Name, $value:ident, $all:ident) => {};
    (SetOp, $value:ident, $all:ident) => {};
    (Face, $value:ident, $all:ident) => {};
    (Side, $value:ident, $all:ident) => {};
    (bool, $value:ident, $all:ident) => {};
    (Secretly, $value:ident, $all:ident) => {};
}

/// Pushes the parts of a type that can be changed without knowing the statement.
macro_rules! part_mut {
    (Expr, $value:ident, $all:ident) => {
        $all.push(PartMut::Value($value))
    };
    (Block, $value:ident, $all:ident) => {
        $all.push(PartMut::Block($value))
    };
    (Place, $value:ident, $all:ident) => {
        $all.push(PartMut::Place($value))
    };
    (Side, $value:ident, $all:ident) => {
        $all.push(PartMut::Side($value))
    };
    (Turned, $value:ident, $all:ident) => {
        $all.push(PartMut::Turned($value))
    };
    (Audience, $value:ident, $all:ident) => {
        $all.extend($value.iter_mut().map(PartMut::Value))
    };
    (Terms, $value:ident, $all:ident) => {
        $all.extend($value.iter_mut().map(PartMut::Value))
    };
    (Order, $value:ident, $all:ident) => {
        $all.extend($value.exprs_mut().map(PartMut::Value))
    };
    (Finish, $value:ident, $all:ident) => {
        $all.extend($value.values_mut().iter_mut().map(PartMut::Value))
    };
    ($Other:ident, $value:ident, $all:ident) => {};
}

/// Parses a part of an ordinary statement.
macro_rules! parsed {
    (Expr, $builder:ident, $parts:ident) => {
        $builder.next_expr($parts)?
    };
    (Condition, $builder:ident, $parts:ident) => {
        $builder.next_expr($parts)?
    };
    (Audience, $builder:ident, $parts:ident) => {
        $builder.next_expr($parts)
    };
    (Name, $builder:ident, $parts:ident) => {
        $builder.next_name($parts)
    };
    (Bound, $builder:ident, $parts:ident) => {
        $builder.next_name($parts)
    };
    (Text, $builder:ident, $parts:ident) => {
        $builder.next_text($parts)
    };
    (Block, $builder:ident, $parts:ident) => {
        $builder.parse_body($parts)
    };
    (Order, $builder:ident, $parts:ident) => {
        $builder.parse_order($parts)
    };
    (Face, $builder:ident, $parts:ident) => {
        next_face($parts)?
    };
    (Side, $builder:ident, $parts:ident) => {
        next_face($parts)
    };
    (Secretly, $builder:ident, $parts:ident) => {
        next($parts, Rule::kw_secretly).is_some()
    };
}

/// Parses a statement that consists of its parts, if its row has a rule and this is it.
macro_rules! ordinary {
    ($builder:ident, $rule:ident, $parts:ident, $Name:ident::$Row:ident { $( $field:ident: $Type:ident ),* } $own:ident) => {
        if $rule == Rule::$own {
            let build = |builder: &mut Builder<'_>, parts: &mut Pairs<Rule>| {
                Some($Name::$Row { $( $field: parsed!($Type, builder, parts) ),* })
            };
            return Some(build($builder, $parts));
        }
    };
    ($builder:ident, $rule:ident, $parts:ident, $Name:ident::$Row:ident $fields:tt) => {};
}

/// The advice for a statement that does not parse: its form, or what the row says.
macro_rules! usage {
    ($form:literal) => {
        concat!("usage: `", $form, "`")
    };
    ($form:literal $usage:literal) => {
        concat!("usage: ", $usage)
    };
}

/// Declares the table: the enum of statements, their parts, the parser of ordinary ones, and the words with which they
/// begin.
macro_rules! statements {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident {
            $(
                $(#[$doc:meta])*
                $Row:ident
                $( { $( $(#[$field_doc:meta])* $field:ident: $Type:ident ),* $(,)? } )?
                $( ( $place:ident: $Of:ident ) )?
                $( = $rule:ident )?
                => { $( $begins:ident $word:literal: $form:literal $( or $usage:literal )?, $about:literal; )* }
            )*
        }
    ) => {
        $(#[$meta])*
        pub enum $Name {
            $(
                $(#[$doc])*
                $Row
                $( { $( $(#[$field_doc])* $field: $Type ),* } )?
                $( ( $Of ) )?
            ),*
        }

        impl $Name {
            /// Returns the parts in the order in which they are written.
            pub fn parts(&self) -> Vec<Part<'_>> {
                let mut all = Vec::new();
                #[expect(unused_variables, reason = "some parts have nothing to visit")]
                match self {
                    $(
                        Self::$Row $( { $( $field ),* } )? $( ( $place ) )? => {
                            $( $( part!($Type, $field, all); )* )?
                            $( part!($Of, $place, all); )?
                        }
                    )*
                }
                all
            }

            /// Returns the parts that can be changed without knowing the statement.
            pub fn parts_mut(&mut self) -> Vec<PartMut<'_>> {
                let mut all = Vec::new();
                #[expect(unused_variables, reason = "some parts depend on the statement")]
                match self {
                    $(
                        Self::$Row $( { $( $field ),* } )? $( ( $place ) )? => {
                            $( $( part_mut!($Type, $field, all); )* )?
                            $( part_mut!($Of, $place, all); )?
                        }
                    )*
                }
                all
            }
        }

        impl Builder<'_> {
            /// Parses a statement that consists of its parts; `None`: it has a parser of its own.
            pub(super) fn parse_ordinary(
                &mut self,
                rule: Rule,
                parts: &mut Pairs<Rule>,
            ) -> Option<Option<$Name>> {
                $(
                    ordinary!(self, rule, parts, $Name::$Row { $( $( $field: $Type ),* )? } $( $rule )?);
                )*
                None
            }
        }

        /// The words with which statements begin.
        pub const STATEMENTS: &[StatementWord] = &[
            $( $( StatementWord {
                word: $word,
                form: $form,
                usage: usage!($form $( $usage )?),
                about: $about,
                begins: Begins::$begins,
            }, )* )*
        ];
    };
}

pub(super) use {ordinary, parsed, part, part_mut, statements, usage};
