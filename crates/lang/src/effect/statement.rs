//! The table of statements; see [`super::table`]. Rows with a rule of the grammar consist of their parts; the others
//! have a parser of their own.

use pest::iterators::Pairs;

use super::Rule;
use super::builder::{Builder, next, next_face};
use super::table::*;
use crate::ast::{
    BinderCount, Block, Choose, Expr, Face, Finish, Form, Name, Place, SetOp, Stmt, Text, TextPart,
};

statements! {
    /// Statements: one row each.
    #[derive(Debug, Clone, PartialEq)]
    pub enum StmtKind {
        /// `let x = e`
        Let { name: Bound, value: Expr } = let_stmt => {
            Always "let": "let x = 3",
                "Names a value until its block ends.";
        }
        /// `x = e`, `score[p] += 2`, `d.laps -= 1`
        Set { target: Expr, op: SetOp, value: Expr } => {}
        /// `if a: …` `else if b: …` `else: …`
        If { arms: Arms, otherwise: Else } => {
            Always "if": "if a > 3: …",
                "Runs its block only if the condition holds; `else if …:` and `else:` may follow.";
            Always "else": "else: …" or "`else: …` or `else if a > 3: …`",
                "Runs its block if the `if`, `choose` or `ask` above did not.";
        }
        /// `each d in dragons where .ridden: …`
        Each { name: Bound, of: Expr, body: Block } => {
            Always "each": "each d in dragons where .ridden: …" or "`each p in seats where score[p] > 0: …`",
                "Runs its block for every member of a list. `each p in seats chooses …` asks all seats at the same time and in secret.";
        }
        /// `repeat: …` (until `stop`), `repeat 2 times: …`
        Repeat { times: Times, body: Block } => {
            Always "repeat": "repeat 2 times: …" or "`repeat: …` or `repeat 2 times: …`",
                "Runs its block this many times; without a number, until `stop`.";
        }
        /// `while cond: …`
        While { condition: Condition, body: Block } = while_stmt => {
            Always "while": "while a > 3: …",
                "Runs its block as long as the condition holds.";
        }
        /// `stop`: leaves the innermost loop
        Stop => {
            Alone "stop": "stop",
                "Leaves the innermost loop.";
        }
        /// `next`: continues the innermost loop with its next iteration
        Next => {
            Alone "next": "next",
                "Continues the innermost loop with its next iteration.";
        }
        /// `return`: leaves the effect
        Return => {
            Alone "return": "return",
                "Leaves the effect; `return x` gives the result of an effect that is declared with the type of its result: `bool stands(seat p)`.";
        }
        /// `return x`: leaves the effect with a result
        Answer { value: Expr } = return_stmt => {}
        /// See [`Choose`].
        Choose(choose: Decision) => {
            Always "choose": "choose c in hand(p) \"Discard a card\": …"
                or "`choose c in hand(p)`, or `choose \"…\":` with options below",
                "Asks the active seat (or `by p`) to choose one member of a list, several, a subset or an order, or one of several `option`s. `default` or `default where …` declares the choice that is played when the time of the seat runs out.";
            Always "any": "any p in others(active) may choose c in hand(p): …",
                "Asks several seats at the same time; the first one that chooses decides, and the others are not asked any more. `until all decline up to 20 times` asks all again, for deals and open bids.";
            Always "may": "may choose c in hand(p): …",
                "A choice that can be declined.";
            Always "option": "option NAME \"Label\" c in hand(p) if …: …" or "`option NAME c in hand(p): …`",
                "An alternative below a `choose …:`. With `default` before the `:`, it is played when the time of the seat runs out.";
        }
        /// `ask p "Another turn?": …` `else: …`: a yes/no decision
        Ask {
            /// `ask any p in others(active) "…"`: the first seat to say yes
            any: BoundSeat,
            who: Decider,
            prompt: Text,
            /// `default yes`: the answer when the seat's time runs out; otherwise it is no.
            default_yes: bool,
            yes: Block,
            no: Else,
        } => {
            Always "ask": "ask p \"Again?\": …",
                "Asks yes or no; `ask any p in seats \"…\"` asks several seats until one says yes. When the time of the seat runs out, the answer is no, or yes with `default yes` before the `:`.";
        }
        /// `move c to hand(p)`, `move top(deck) to row(p) face down`, `move s to deck at bottom`
        Move { what: Expr, to: Expr, place: Place, face: Side, turned: Turned } => {
            Always "move": "move c to hand(p)",
                "Puts one component, or each member of a list, on top of a zone, unless `at bottom`, `at 3` or `face down` follows.";
        }
        /// `draw 7 from deck to hand(p)`: as many from the top as there are
        Draw { count: Expr, from: Expr, to: Expr, face: Side } = draw_stmt => {
            Always "draw": "draw 7 from deck to hand(p)",
                "Moves components from the top of a zone, as many as there are.";
        }
        /// `shuffle deck`
        Shuffle { zone: Expr } = shuffle_stmt => {
            Always "shuffle": "shuffle deck",
                "Shuffles a zone.";
        }
        /// `roll dice`, `roll dice where …`
        Roll { dice: Expr } = roll_stmt => {
            Always "roll": "roll dice",
                "Rolls dice.";
        }
        /// `swap a with b`: exchanges two components
        Swap { one: Expr, other: Expr } = swap_stmt => {
            Always "swap": "swap a with b",
                "Exchanges the places of two components.";
        }
        /// `rotate hand`: the contents of each zone of a list go to the next one, those of the last to the first
        Rotate { zones: Expr } = rotate_stmt => {
            Always "rotate": "rotate [hand(p), hand(q)]",
                "Moves the contents of each zone of a list to the next zone, and those of the last to the first, all at the same time.";
        }
        /// `record board`: the position counts as one that occurred
        Record { position: Expr } = record_stmt => {
            Always "record": "record board",
                "Remembers a position, which `positions` declares; `recorded(board)` says how often it has been recorded.";
        }
        /// `turn c face up`, `turn row(p) face down`
        Turn { what: Expr, face: Face } = turn_stmt => {
            Always "turn": "turn c face up" or "`turn c face up`, or `turn of p: …`",
                "Turns a component over. `turn of p: …` makes p active and counts the turn.";
        }
        /// `turn of p: …`: `active` is p, the turn is counted, events announce its beginning and end
        TurnOf { who: Expr, body: Block } = turn_of_stmt => {}
        /// `turns from p: …`: endless turns in seat order, until `stop` or the game is finished
        Turns { from: Expr, order: Order, body: Block } = turns_stmt => {
            Always "turns": "turns from p: …",
                "Repeats turns in seat order until `stop` or the end of the game. `where not out[it]` leaves out seats, `by -1` reverses the order, `skipping missed` and `repeating extra` name variables that count, for each seat, turns that it misses or takes again.";
        }
        /// `as p: …`: `active` is p inside, and restored afterwards; no turn begins
        As { who: Expr, body: Block } = as_stmt => {
            Always "as": "as p: …",
                "Makes p active inside the block; no turn begins.";
        }
        /// `phase bidding: …`
        Phase { name: Name, body: Block } = phase_stmt => {
            Always "phase": "phase bidding: …",
                "Announces that a phase begins and ends.";
        }
        /// `round: …`: the round is counted; variables that last a round reset at its end
        Round { body: Block } = round_stmt => {
            Block "round": "round: …",
                "Counts the round; variables with `lasts: round` reset at its end.";
        }
        /// `say "The tower falls"`, `say "…" to p`
        Say { text: Text, to: Audience } = say_stmt => {
            Always "say": "say \"The tower falls\" to p" or "`say \"…\"` or `say \"…\" to p`",
                "Shows a text to everybody, or to some seats.";
        }
        /// `show c to p`: p knows what the component is until it moves; `show c to p secretly`: nobody else notices
        Show { what: Expr, to: Expr, secretly: Secretly } = show_stmt => {
            Always "show": "show c to p" or "`show c to p` or `show c to p secretly`",
                "Reveals a component to seats; with `secretly`, others do not notice.";
        }
        /// `finish ranked by total(it), numbered(it)`; with `, ties drawn`, a tie for first place is a draw; `finish won
        /// by p`, `finish drawn`
        Finish(finish: Finish) => {
            Always "finish": "finish ranked by score[it]"
                or "`finish ranked by score[it]`, `finish won by p` or `finish drawn`",
                "Ends the game: `finish won by p`, `finish drawn`, `finish ranked by …`.";
        }
        /// `proceed`: in an `instead` handler, runs the original effect
        Proceed => {
            Alone "proceed": "proceed",
                "In an `instead` handler: runs the effect after all.";
        }
        /// `prevent`: in a `before` handler, prevents the effect
        Prevent => {
            Alone "prevent": "prevent",
                "In a `before` handler: prevents the effect.";
        }
        /// `resolve`: runs the handlers that wait
        Resolve => {
            Alone "resolve": "resolve",
                "Runs the handlers with `waits: true` that wait, in turn order of their seats; a seat orders its own.";
        }
        /// `mine moves 2`, `p loses a coin to q`, `c.played(s)`, `deal_hands`: a call of an effect of the game, or of a
        /// built-in with that shape (`p scores 3`). One expression per term; a bare word may be a word of the phrase.
        Phrase { terms: Terms } => {}
    }
}

/// Returns the words that begin a statement in this way.
pub fn words_that_begin(begins: Begins) -> impl Iterator<Item = &'static str> {
    let words = STATEMENTS.iter().filter(move |word| word.begins == begins);
    words.map(|word| word.word)
}

impl Stmt {
    /// Returns the expressions of the statement itself, including those in its texts, without its blocks.
    pub fn exprs(&self) -> Vec<&Expr> {
        let mut all = Vec::new();
        for part in self.kind.parts() {
            match part {
                Part::Value(expr) | Part::Condition(expr) => all.push(expr),
                Part::Text(text) => all.extend(text.holes()),
                Part::Bound(_) | Part::Chosen(_) | Part::Cites(_) | Part::Block(_) => {}
            }
        }
        all
    }

    pub fn blocks(&self) -> Vec<&Block> {
        let parts = self.kind.parts().into_iter();
        let blocks = parts.filter_map(|part| match part {
            Part::Block(block) => Some(block),
            Part::Value(_)
            | Part::Condition(_)
            | Part::Text(_)
            | Part::Bound(_)
            | Part::Chosen(_)
            | Part::Cites(_) => None,
        });
        blocks.collect()
    }
}

impl Choose {
    fn add_parts<'s>(&'s self, all: &mut Vec<Part<'s>>) {
        all.extend(self.who.iter().map(Part::Value));
        if let Some((name, seats)) = &self.each {
            all.extend([Part::Bound(name), Part::Value(seats)]);
        }
        all.extend(self.prompt.iter().map(Part::Text));
        for option in &self.options {
            all.extend(option.label.iter().map(Part::Text));
            for binder in &option.binders {
                if let BinderCount::Exactly(count) | BinderCount::UpTo(count) = &binder.count {
                    all.push(Part::Value(count));
                }
                if let Form::Path(start) = &binder.form {
                    all.push(Part::Value(start));
                }
                all.extend([Part::Chosen(&binder.name), Part::Value(&binder.of)]);
            }
            all.extend(option.condition.iter().map(Part::Condition));
            let default = option.default.iter();
            all.extend(
                default
                    .filter_map(|default| default.condition.as_ref())
                    .map(Part::Condition),
            );
            all.extend(self.weight.iter().map(Part::Value));
            let sequence = self.sequence.iter();
            let values = sequence.flat_map(|of| of.worth.iter().chain(&of.most));
            all.extend(values.map(Part::Value));
            all.push(Part::Cites(&option.cites));
            all.extend(option.body.iter().map(Part::Block));
        }
        all.extend(self.body.iter().chain(&self.otherwise).map(Part::Block));
    }
}

impl Finish {
    fn values(&self) -> &[Expr] {
        match self {
            Finish::RankedBy { keys, .. } => keys,
            Finish::WonBy(seats) => std::slice::from_ref(seats),
            Finish::Drawn => &[],
        }
    }

    fn values_mut(&mut self) -> &mut [Expr] {
        match self {
            Finish::RankedBy { keys, .. } => keys,
            Finish::WonBy(seats) => std::slice::from_mut(seats),
            Finish::Drawn => &mut [],
        }
    }
}

impl Text {
    /// Returns the values in its holes.
    pub fn holes(&self) -> impl Iterator<Item = &Expr> {
        self.parts.iter().filter_map(|part| match part {
            TextPart::Hole(expr, _) => Some(expr),
            TextPart::Literal(_) => None,
        })
    }
}
