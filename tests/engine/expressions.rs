//! Values of expressions and lists, including those of `none`.

use wyrmgate::engine::eval_query;
use wyrmgate::program::*;

use crate::build::{Build, begin, option};

/// A game at rest with a deck of five cards, and the value of an expression in it.
fn value(make: impl FnOnce(&mut Build) -> ExprId) -> i32 {
    let mut b = Build::new(3);
    let deck = b.zone("deck", See::All, None);
    b.cards("card", 5, deck);
    let expr = make(&mut b);
    b.query("asked", 0, 8, QueryBody::Value(expr));
    let site = b.site(0, vec![option("", Vec::new(), 0)], 0);
    let entry = b.op(Op::Choose(site));
    let program = b.play(entry);
    eval_query(&program, &begin(&program), "asked").unwrap()
}

fn binary(op: Binary, left: i32, right: i32) -> i32 {
    value(|b| {
        let (left, right) = (b.int(left), b.int(right));
        b.binary(op, left, right)
    })
}

/// The members of a list, as `count`, then each by number.
fn members(make: impl Fn(&mut Build) -> SetId) -> Vec<i32> {
    let count = value(|b| {
        let set = make(b);
        b.expr(Expr::Count(set))
    });
    let nth = |place: i32| {
        value(|b| {
            let set = make(b);
            let place = b.int(place);
            b.expr(Expr::Nth(set, place, NONE))
        })
    };
    (1..=count).map(nth).collect()
}

#[test]
fn numbers() {
    assert_eq!(binary(Binary::Add, 2, 3), 5);
    assert_eq!(binary(Binary::Divide, 7, -2), -3);
    assert_eq!(binary(Binary::Divide, 7, 0), 0);
    assert_eq!(binary(Binary::Modulo, -7, 3), 2);
    assert_eq!(binary(Binary::Modulo, 7, -3), -2);
    assert_eq!(binary(Binary::Modulo, -7, -3), -1);
    assert_eq!(binary(Binary::Modulo, 7, 0), 0);
    assert_eq!(binary(Binary::Modulo, i32::MIN, -1), 0);
    assert_eq!(binary(Binary::Max, 2, 9), 9);
}

#[test]
fn nothing_answers_nothing() {
    type Make = fn(ExprId) -> Expr;
    let questions: [(Make, i32); 10] = [
        (Expr::ZoneOf, NONE),
        (Expr::Inside, NONE),
        (Expr::HolderOf, NONE),
        (Expr::OwnerOf, NONE),
        (Expr::PlaceOf, 0),
        (Expr::IsFaceUp, 0),
        (Expr::ZoneCount, 0),
        (Expr::ZoneFirst, NONE),
        (Expr::CellOf, NONE),
        (Expr::RotationOf, 0),
    ];
    for (make, expected) in questions {
        for asked in [NONE, 99, i32::MIN, i32::MAX] {
            let answer = value(|b| {
                let asked = b.int(asked);
                b.expr(make(asked))
            });
            assert_eq!(answer, expected);
        }
    }
}

#[test]
fn expressions_and_lists_that_do_not_exist() {
    assert_eq!(value(|_| 9_999), NONE);
    assert_eq!(value(|b| b.expr(Expr::Count(9_999))), 0);
    assert_eq!(
        value(|b| b.expr(Expr::Call {
            query: 999,
            args: 0
        })),
        NONE
    );
    assert_eq!(value(|b| b.expr(Expr::Word(u32::MAX))), NONE);
    assert_eq!(value(|b| b.expr(Expr::Local(u16::MAX))), NONE);
    assert_eq!(value(|b| b.expr(Expr::Temp(u16::MAX))), NONE);
}

#[test]
fn lists_in_their_order() {
    assert_eq!(members(|b| b.range(2, 4)), [2, 3, 4]);
    assert_eq!(members(|b| b.range(4, 2)), [0i32; 0]);
    assert_eq!(members(|b| b.zone_set(1)), [0, 1, 2, 3, 4]);
    let seats = members(|b| {
        let from = b.int(1);
        b.set(Set::SeatsFrom(from))
    });
    assert_eq!(seats, [1, 2, 0]);
    let others = members(|b| {
        let of = b.int(1);
        b.set(Set::Others(of))
    });
    assert_eq!(others, [2, 0]);
    let reversed = members(|b| {
        let of = b.zone_set(1);
        b.set(Set::Reversed(of))
    });
    assert_eq!(reversed, [4, 3, 2, 1, 0]);
    let taken = members(|b| {
        let (of, count) = (b.range(5, 9), b.int(2));
        b.set(Set::Take(of, count))
    });
    assert_eq!(taken, [5, 6]);
    let minus = members(|b| {
        let (of, without) = (b.range(1, 5), b.range(2, 3));
        b.set(Set::Minus(of, without))
    });
    assert_eq!(minus, [1, 4, 5]);
    let unique = members(|b| {
        let (one, other) = (b.range(1, 3), b.range(2, 4));
        let both = b.set(Set::Concat(one, other));
        b.set(Set::Unique(both))
    });
    assert_eq!(unique, [1, 2, 3, 4]);
}

#[test]
fn sorting_is_stable() {
    let sorted = |descending| {
        members(|b| {
            let (of, it, two) = (b.range(1, 6), b.expr(Expr::Temp(1)), b.int(2));
            let key = b.binary(Binary::Modulo, it, two);
            b.set(Set::Sorted(SortedList {
                of,
                temp: 1,
                key,
                descending,
            }))
        })
    };
    assert_eq!(sorted(false), [2, 4, 6, 1, 3, 5]);
    assert_eq!(sorted(true), [1, 3, 5, 2, 4, 6]);
}

#[test]
fn members_with_the_extreme_key() {
    let with = |most| {
        members(|b| {
            let (of, it, three) = (b.range(1, 7), b.expr(Expr::Temp(1)), b.int(3));
            let key = b.binary(Binary::Modulo, it, three);
            b.set(Set::With(ExtremeKey {
                of,
                temp: 1,
                key,
                most,
            }))
        })
    };
    assert_eq!(with(true), [2, 5]);
    assert_eq!(with(false), [3, 6]);
}

#[test]
fn a_query_has_temps_of_its_own() {
    // twice(x) = x + x, asked inside a filter whose member is in the same temp
    let kept = members(|b| {
        let x = b.expr(Expr::Temp(0));
        let sum = b.binary(Binary::Add, x, x);
        let twice = b.query("twice", 1, 1, QueryBody::Value(sum));
        let args = b.expr(Expr::Temp(0));
        let call = b.expr(Expr::Call { query: twice, args });
        let eight = b.int(8);
        let condition = b.binary(Binary::More, call, eight);
        let of = b.range(1, 6);
        b.set(Set::Where(MemberTest {
            of,
            temp: 0,
            condition,
        }))
    });
    assert_eq!(kept, [5, 6]);
}

#[test]
fn a_query_can_answer_a_list_and_take_one() {
    // above(list, n): members of the list greater than n; asked with 3..9 and 7
    let kept = members(|b| {
        let list = b.set(Set::Temp(0));
        let (it, n) = (b.expr(Expr::Temp(3)), b.expr(Expr::Temp(2)));
        let condition = b.binary(Binary::More, it, n);
        let body = b.set(Set::Where(MemberTest {
            of: list,
            temp: 3,
            condition,
        }));
        let above = b.query("above", 3, 4, QueryBody::List(body));
        let range = b.range(3, 9);
        let args = b.expr(Expr::ListArgument(range));
        b.int(7);
        b.set(Set::Call { query: above, args })
    });
    assert_eq!(kept, [8, 9]);
}

#[test]
fn places_of_an_open_grid_beside_a_tile() {
    let cell = |x, y| wyrmgate::program::cell(x, y);
    assert_eq!(cell_xy(cell(-3, 7)), (-3, 7));
    let beside = |side: i32| {
        value(|b| {
            let (cell, side) = (b.int(cell(0, 0)), b.int(side));
            b.expr(Expr::CellBeside { cell, side })
        })
    };
    let sides = [cell(0, -1), cell(1, 0), cell(0, 1), cell(-1, 0), NONE];
    assert_eq!([0, 1, 2, 3, 4].map(beside), sides);
}

#[test]
fn an_empty_grid_has_one_free_place() {
    let free = members(|b| {
        let grid = b.zone("table", See::All, None);
        b.program.families[usize::from(grid)].open_grid = true;
        let zone = b.int(i32::from(grid));
        b.set(Set::FreeCells(zone))
    });
    assert_eq!(free, [cell(0, 0)]);
}
