//! The form of the table of operations.
//!
//! Each enum of operations ([`Expr`](super::Expr), [`Set`](super::Set), [`Mask`](super::Mask), [`Op`](super::Op)) is one
//! table, and each variant is one row. The row lists the fields, and the type of a field states what the operation
//! does with it: an [`ExprId`] is evaluated, a
//! [`BoundTemp`](super::BoundTemp) is bound, a [`WordId`](super::WordId) is read. After the `=>` the row
//! states what the fields cannot say ([`RowFacts`]). Everything that walks, rewrites or studies a program reads these
//! rows, so a new operation needs no change there.

use super::{
    Address, ArgsId, DispatchId, EffectId, ExprId, FamilyId, Local, MaskId, QueryId, SetId, SiteId,
    TableId, Temp,
};

/// A field of an operation, by what the operation does with it. Constants of an operation are not fields in this sense.
#[derive(Debug)]
pub enum Field<'o> {
    /// An expression that is evaluated.
    Expr(&'o mut ExprId),
    /// The first of several expressions in a row; [`RowFacts::row`] says how many there are.
    Row(&'o mut ExprId),
    /// A list that is walked.
    Set(&'o mut SetId),
    /// A list whose members the operation changes, one after the other.
    InOrder(&'o mut SetId),
    Mask(&'o mut MaskId),
    /// A temp that is read.
    Temp(&'o mut Temp),
    /// Two temps that are read: the offset and the length of a list.
    ListTemp(&'o mut Temp),
    /// A temp that holds each member of a list in turn.
    Bound(&'o mut Temp),
    /// Two temps that are made to refer to a list.
    BoundList(&'o mut Temp),
    /// A slot of the running frame, or the first of several.
    Frame(&'o mut Local),
    /// A variable of the state, or the first of several.
    Word(&'o mut u32),
    /// A query that is evaluated.
    Query(&'o mut QueryId),
    /// The queries of the kinds, one of which is evaluated.
    Dispatch(&'o mut DispatchId),
    /// A place in the code.
    Address(&'o mut Address),
    /// A decision.
    Site(&'o mut SiteId),
    /// The arguments of an effect.
    Args(&'o mut ArgsId),
    /// An effect that runs in a copy of the position.
    Supposed(&'o mut EffectId),
    /// Whether components are turned face down.
    FaceDown(&'o mut bool),
}

/// The number of expressions in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// One for each key of the zones of a family.
    ZoneKeys(FamilyId),
    /// One for each pair of numbers in a table.
    Pairs(TableId),
    Count(u16),
    /// The arguments of a query.
    Arguments(QueryId),
    /// The arguments of a query of the kinds.
    KindArguments(DispatchId),
}

/// The facts that a row states beside its fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowFacts {
    /// Whether its value follows from its fields and from constants of the program alone.
    pub pure: bool,
    /// Whether its result can overflow, or that of a query that it evaluates.
    pub overflows: bool,
    /// The length of its row of expressions.
    pub row: Option<Row>,
    /// The number of words that its field of words refers to; 0 means one.
    pub words: u32,
    /// Whether the game can continue elsewhere than at the next operation.
    pub jumps: bool,
    /// Whether it ends the game.
    pub finishes: bool,
    /// Whether people decide.
    pub asks: bool,
    /// Whether chance decides.
    pub random: bool,
    /// Whether it can leave a list in the running frame.
    pub makes_list: bool,
    /// Whether testing if a value is in this list always costs a walk through it.
    pub walked: bool,
}

impl RowFacts {
    /// Begins the facts of a row whose value follows from its fields.
    pub(super) const fn pure(mut self) -> RowFacts {
        self.pure = true;
        self
    }

    /// Begins the facts of a row that reads the state: where and how components lie, variables, or pending decisions.
    pub(super) const fn reads(self) -> RowFacts {
        self
    }

    /// Begins the facts of a row that changes the state, or where the game continues.
    pub(super) const fn acts(self) -> RowFacts {
        self
    }

    pub(super) const fn overflows(mut self) -> RowFacts {
        self.overflows = true;
        self
    }

    pub(super) const fn overflows_if(mut self, can: bool) -> RowFacts {
        self.overflows = can;
        self
    }

    pub(super) const fn walked(mut self) -> RowFacts {
        self.walked = true;
        self
    }

    pub(super) const fn row(mut self, row: Row) -> RowFacts {
        self.row = Some(row);
        self
    }

    pub(super) const fn words(mut self, words: u32) -> RowFacts {
        self.words = words;
        self
    }

    pub(super) const fn jumps(mut self) -> RowFacts {
        self.jumps = true;
        self
    }

    pub(super) const fn finishes(mut self) -> RowFacts {
        self.finishes = true;
        self
    }

    pub(super) const fn asks(mut self) -> RowFacts {
        self.asks = true;
        self
    }

    pub(super) const fn random(mut self) -> RowFacts {
        self.random = true;
        self
    }

    pub(super) const fn makes_list(mut self) -> RowFacts {
        self.makes_list = true;
        self
    }
}

/// Visits a field by its type. Constants are skipped; a type that is not listed here does not compile.
macro_rules! field {
    (ExprId, $value:ident, $visit:ident) => {
        $visit(Field::Expr($value))
    };
    (RowId, $value:ident, $visit:ident) => {
        $visit(Field::Row($value))
    };
    (SetId, $value:ident, $visit:ident) => {
        $visit(Field::Set($value))
    };
    (InOrder, $value:ident, $visit:ident) => {
        $visit(Field::InOrder($value))
    };
    (Audience, $value:ident, $visit:ident) => {
        if let Some(set) = $value {
            $visit(Field::Set(set))
        }
    };
    (MaskId, $value:ident, $visit:ident) => {
        $visit(Field::Mask($value))
    };
    (Temp, $value:ident, $visit:ident) => {
        $visit(Field::Temp($value))
    };
    (TempPair, $value:ident, $visit:ident) => {
        for temp in $value.iter_mut() {
            $visit(Field::Temp(temp))
        }
    };
    (ListTemp, $value:ident, $visit:ident) => {
        $visit(Field::ListTemp($value))
    };
    (BoundTemp, $value:ident, $visit:ident) => {
        $visit(Field::Bound($value))
    };
    (BoundListTemp, $value:ident, $visit:ident) => {
        $visit(Field::BoundList($value))
    };
    (Local, $value:ident, $visit:ident) => {
        $visit(Field::Frame($value))
    };
    (WordId, $value:ident, $visit:ident) => {
        $visit(Field::Word($value))
    };
    (QueryId, $value:ident, $visit:ident) => {
        $visit(Field::Query($value))
    };
    (DispatchId, $value:ident, $visit:ident) => {
        $visit(Field::Dispatch($value))
    };
    (Address, $value:ident, $visit:ident) => {
        $visit(Field::Address($value))
    };
    (SiteId, $value:ident, $visit:ident) => {
        $visit(Field::Site($value))
    };
    (Supposed, $value:ident, $visit:ident) => {
        $visit(Field::Supposed($value))
    };
    (ArgsId, $value:ident, $visit:ident) => {
        $visit(Field::Args($value))
    };
    (FaceDown, $value:ident, $visit:ident) => {
        $visit(Field::FaceDown($value))
    };
    (MovePlace, $value:ident, $visit:ident) => {
        if let MovePlace::At(place) = $value {
            $visit(Field::Expr(place))
        }
    };
    (i32, $value:ident, $visit:ident) => {};
    (u32, $value:ident, $visit:ident) => {};
    (u16, $value:ident, $visit:ident) => {};
    (i8, $value:ident, $visit:ident) => {};
    (bool, $value:ident, $visit:ident) => {};
    (Binary, $value:ident, $visit:ident) => {};
    (Fold, $value:ident, $visit:ident) => {};
    (Chosen, $value:ident, $visit:ident) => {};
    (Domain, $value:ident, $visit:ident) => {};
    (Reads, $value:ident, $visit:ident) => {};
    (BitsId, $value:ident, $visit:ident) => {};
    (WaySet, $value:ident, $visit:ident) => {};
    (FamilyId, $value:ident, $visit:ident) => {};
    (KindId, $value:ident, $visit:ident) => {};
    (TableId, $value:ident, $visit:ident) => {};
    (PositionId, $value:ident, $visit:ident) => {};
    (RevealId, $value:ident, $visit:ident) => {};
    (EffectId, $value:ident, $visit:ident) => {};
    (TextId, $value:ident, $visit:ident) => {};
}

/// Declares a table: an enum of operations and what can be asked of every row. The fields of a row `as Name` are a struct
/// of this name, which a row `like Name` shares.
macro_rules! operations {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident {
            $(
                $(#[$doc:meta])*
                $Row:ident
                $( as $Own:ident { $( $own:ident: $OwnType:ident ),* } )?
                $( like $Like:ident { $( $like:ident: $LikeType:ident ),* } )?
                $( { $( $field:ident: $Type:ident ),* } )?
                $( ( $( $place:ident: $Of:ident ),* $(,)? ) )?
                => $fact:ident $( + $more:ident $( ( $($given:tt)* ) )? )*
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        pub enum $Name {
            $(
                $(#[$doc])*
                $Row
                $( ($Own) )?
                $( ($Like) )?
                $( { $( $field: $Type ),* } )?
                $( ( $( $Of ),* ) )?
            ),*
        }

        $( $(
            #[doc = concat!("The fields of [`", stringify!($Name), "::", stringify!($Row), "`].")]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
            pub struct $Own {
                $( pub $own: $OwnType ),*
            }
        )? )*

        impl $Name {
            /// Visits the fields in the order in which they are declared.
            pub fn each_field_mut(&mut self, visit: &mut dyn FnMut(Field<'_>)) {
                #[expect(unused_variables, reason = "constants of an operation are no fields")]
                match self {
                    $(
                        Self::$Row $( ($Own { $( $own ),* }) )? $( ($Like { $( $like ),* }) )? $( { $( $field ),* } )? $( ( $( $place ),* ) )? => {
                            $( $( field!($OwnType, $own, visit); )* )?
                            $( $( field!($LikeType, $like, visit); )* )?
                            $( $( field!($Type, $field, visit); )* )?
                            $( $( field!($Of, $place, visit); )* )?
                        }
                    ),*
                }
            }

            /// Returns the facts that the row states beside its fields.
            pub fn facts(&self) -> RowFacts {
                #[expect(unused_variables, reason = "most facts do not depend on fields")]
                match self {
                    $(
                        Self::$Row $( ($Own { $( $own ),* }) )? $( ($Like { $( $like ),* }) )? $( { $( $field ),* } )? $( ( $( $place ),* ) )? => {
                            RowFacts::default().$fact() $( .$more( $( $($given)* )? ) )*
                        }
                    ),*
                }
            }

            /// Visits the fields like [`Self::each_field_mut`], for reading.
            pub fn each_field(mut self, visit: &mut dyn FnMut(Field<'_>)) {
                self.each_field_mut(visit);
            }
        }
    };
}

pub(super) use {field, operations};
