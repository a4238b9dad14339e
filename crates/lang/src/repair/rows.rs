//! Slips of authors, and the line that they meant: each row rewrites one form of other languages or of spoken rules.
//!
//! A row has a [pattern](super::pattern) and what is written in its place. A rewritten line is proposed if it parses. A
//! row whose right side is advice, with its code in backticks, concerns what stands where parsing failed.

use std::sync::LazyLock;

use pest::Parser;

use super::line::Line;
use super::pattern::{Match, Pattern};
use super::{Broken, Repair, shown};
use crate::effect::{Grammar, Rule};

/// Lines above this length get no proposals.
const LINE_MAX: usize = 2_000;

/// Places of one line at which a row is tried.
const PLACES_MAX: usize = 6;

struct Row {
    message: &'static str,
    pattern: Pattern,
    meant: &'static str,
}

/// Makes the table: a message, and its rows.
macro_rules! rows {
    ($($message:literal { $($pattern:literal => $meant:literal;)* })*) => {
        static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| vec![$($(Row {
            message: $message,
            pattern: Pattern::new($pattern),
            meant: $meant,
        }),*),*]);
    };
}

rows! {
    "`$W` stands here twice" {
        "$W $W" => "$W";
    }
    "no statement begins with `$1`" {
        "^ for|foreach each| $N in|of range(#a, #b)" => "each $N in #a..#b-1";
        "^ for|foreach each| $N in|of range(#b)" => "each $N in 0..#b-1";
        "^ for|foreach each| $N in|of range($a, $b)" => "each $N in $a..$b - 1";
        "^ for|foreach each| $N in|of range($b)" => "each $N in 0..$b - 1";
        "^ for|foreach each| $N in|of" => "each $N in";
        "^ local|const|var|val|auto|int|bool|my|def $N =" => "let $N =";
        "^ global|nonlocal $N =" => "$N =";
        "^ every|all $N in $l: $*b" => "each $N in $l: $b";
    }
    "`is` tests for a kind of thing; `=` and `!=` compare values" {
        "is not $N(|[" => "!= $N$1";
        "is $N(|[" => "= $N$1";
    }
    "`not` stands before a condition; between two values it is `!=`" {
        "$x not $M" => "$x != $M";
    }
    "`;` ends a `let`" {
        "let $N = $v, let" => "let $N = $v; let";
    }
    "`$1` is written `to`" {
        "draw $N from $z into|onto $t" => "draw $N from $z to $t";
    }
    "rules say this in another way" {
        "^ turn from" => "turns from";
        "^ for|play|do #n times|rounds|turns:" => "repeat #n times:";
        "is not on|at|inside" => "not in";
        "is on|at|inside" => "in";
        "if !some|every|no|any|all|each $x has !no $y"
            => "ask what it has: `c in hand(p)` for a component, `purse[p] >= 2` for a number";
        "^ $s #n times $" => "repeat #n times: $s";
        "^ $s, move|draw|shuffle|roll" => "$s; $1";
        "do|then:" => ":";
        "after($F $x," => "after($F($x),";
        "[#a:#b]" => "`take(xs, 2)` are the first two members, and `xs[2]` is the second";
        "draw a|an|one| $T $" => "name both zones: `draw 1 from deck to hand(p)`";
        "draw $N from $z $" => "say where to: `draw $N from $z to hand(p)`";
        "turns from $x clockwise" => "turns from $x";
        "^ take turns from" => "turns from";
        "turns starting with|from|at" => "turns from";
        "choose a|the| random $T $N in $l" => "choose $N in $l at random";
        "choose a|the| random $N in $l" => "choose $N in $l at random";
        "choose a|the| random $T $" => "choose $t in $Ts at random";
        "^ optionally choose" => "may choose";
        "may \"$q\"" => "may choose \"$q\"";
        "^ may $F(" => "write `may choose …: $F(…)`, or `ask p \"…?\": $F(…)`";
        "$N in $l except $x:" => "$N in $l where $N != $x:";
        "$N in $l except $x may" => "$N in $l where $N != $x may";
        "each other $T:" => "name the member: `each x in $Ts where x != …:`";
        "#n%:" => "#n:";
        "#n% $" => "#n";
        "is|are greater|more|higher|larger than" => ">";
        "is|are less|fewer|lower|smaller than" => "<";
        "is|are at least" => ">=";
        "is|are at most" => "<=";
        "equals|matches" => "=";
        "is not #n" => "!= #n";
        "is #n" => "= #n";
        "$x has #n $T" => "#n $T <= $x";
        "^ $x, $y = $a, $b $" => "write two lines: `$x = $a` and `$y = $b`";
        "^ /* $*c */" => "";
        "($x; $y)" => "($x, $y)";
        "choose from $N in $l to $M in" => "choose $N in $l, $M in";
        "^ $N: $T = $v" => "$N = $v";
        "= {}" => "= []";
        "+= {$*f}" => "write the type and its parts in order, as in `deal(p, 3)`";
        "= if $c: $v $" => "write `= if $c then $v else …`";
        "^ any seats|seat|players|player may" => "any p in seats may";
        "up to $n times until all decline" => "until all decline up to $n times";
        "until all decline #n times" => "until all decline up to #n times";
    }
    "functions stand alone, in lowercase letters" {
        "Math.max(" => "max(";
        "Math.min(" => "min(";
        "MAX(" => "max(";
        "MIN(" => "min(";
        "SUM(" => "sum(";
        "IF($c, $a, $b)" => "(if $c then $a else $b)";
        "AND($a, $b)" => "($a and $b)";
        "COUNTIF($l, $v)" => "write `count($l where …)`, with a condition";
    }
    "a game ends by `finish won by`, `finish ranked by` or `finish drawn`" {
        "^ finish $x won|wins" => "finish won by $x";
        "^ finish won by highest|most|largest $F" => "finish ranked by $F[it]";
        "^ finish by $F" => "finish ranked by $F[it]";
        "^ finish lost by others($x)" => "finish won by $x";
        "^ finish lost by $x" => "finish won by others($x)";
    }
    "an option has a name, its text, and then what is chosen" {
        "^ option $N: \"$t\":" => "option $N \"$t\":";
        "^ option $N $C in $l \"$q\"" => "option $N \"$q\" $C in $l";
        "^ option \"$t\":" => "name it before its text: `option name \"$t\": …`";
        "^ !say|ask|choose|option $N \"$t\":" => "option $N \"$t\":";
    }
    "`$_` is not an operator" {
        "^ $x *= $*v" => "$x = $x * ($v)";
        "^ $x /= $*v" => "$x = $x / ($v)";
        "^ $x %= $*v" => "$x = $x mod ($v)";
        "^ $x = $x ++" => "$x += 1";
        "^ $x ++" => "$x += 1";
        "^ $x --" => "$x -= 1";
        "++ $x" => "$x += 1";
        "-- $x" => "$x -= 1";
        "<-" => "=";
        "!==|<>|~=" => "!=";
        "===" => "=";
        "=<" => "<=";
        "= =" => "=";
    }
    "a decision stays open `until all decline`" {
        "until all|everyone|everybody|nobody pass|passes|declines|acts" => "until all decline";
        "until all decline, up to" => "until all decline up to";
    }
    "each key has brackets of its own" {
        "$X[$a, $b]" => "$X[$a][$b]";
        "$X[$a, $b, $c]" => "$X[$a][$b][$c]";
    }
    "the type of a name follows from its value" {
        "^ let $N: $T =" => "let $N =";
    }
    "the type of `$N` follows from its list" {
        "each|some|every|no|choose $T $N in" => "$1 $N in";
    }
    "numbers are whole, and written without a point or `_`" {
        "#a.0" => "#a";
        "#a.#b" => "numbers have no point, and a range two: `#a..#b`";
        "#a _ #b" => "#a#b";
    }
    "a list is asked by a function that names its member" {
        "$x.map($N =>|-> $b)" => "keys($N in $x, $b)";
        "$x.map(lambda $N: $b)" => "keys($N in $x, $b)";
        "($x.filter($N =>|-> $b))" => "($N in $x where $b)";
        "$x.filter($N =>|-> $b)" => "($N in $x where $b)";
        "$x.filter(lambda $N: $b)" => "($N in $x where $b)";
        "$x.some|.any($N =>|-> $b)" => "any($N in $x, $b)";
        "$x.every|.all($N =>|-> $b)" => "all($N in $x, $b)";
        "$x.reduce($N =>|-> $b)" => "sum($N in $x, $b)";
        "($x, $N =>|-> $b)" => "($N in $x, $b)";
        "($x, lambda $N: $b)" => "($N in $x, $b)";
    }
    "a list is sorted by the least first, or `by most`" {
        "sorted by $k descending|desc" => "sorted by most $k";
        "sorted by $k ascending|asc" => "sorted by $k";
    }
    "`+` joins what a bundle holds" {
        "#a $X #b $Y" => "#a $X + #b $Y";
        "= #a $X, #b $Y $" => "= #a $X + #b $Y";
        "+= #a $X, #b $Y $" => "+= #a $X + #b $Y";
        "-= #a $X, #b $Y $" => "-= #a $X + #b $Y";
        "^ #a $X, #b $Y $" => "#a $X + #b $Y";
        "^ #a $X, #b $Y, #c $Z $" => "#a $X + #b $Y + #c $Z";
    }
    "`take` gives the first members of a list" {
        "^ $l limit $n $" => "take($l, $n)";
        "top|last $N of $x" => "take(reversed($x), $N)";
        "first|bottom $N of $x" => "take($x, $N)";
    }
    "`$1` is written `in`, after the member" {
        "$x contains|includes $y" => "$y in $x";
    }
    "the function is called `any`" {
        "some|exists($x where" => "any($x,";
    }
    "the function is called `all`" {
        "every($x where" => "all($x,";
    }
    "`{` does not begin a block" {
        "^ $s { $*b; }" => "$s: $b";
        "^ $s { $*b }" => "$s: $b";
        "^ $s { $" => "$s:";
    }
    "a choice says behind its list who decides" {
        "^ $w may choose $c \"$q\"" => "may choose $c by $w \"$q\"";
        "^ $w chooses $c \"$q\"" => "choose $c by $w \"$q\"";
        "^ $w may choose $c:" => "may choose $c by $w:";
        "^ $w chooses $c:" => "choose $c by $w:";
        "^ $w chooses $c $" => "choose $c by $w";
    }
    "`roll` rolls components with faces; other numbers are chosen at random" {
        "^ roll $N from $a..$b" => "choose $N in $a..$b at random";
    }
    "a range is written with `..`" {
        "from|in #a to $B" => "in #a..$B";
        "from|in $A to #b" => "in $A..#b";
        "between #a and $B" => "in #a..$B";
        "between $A and #b" => "in $A..#b";
        "from|in #a-#b" => "in #a..#b";
        "in $a to $b and|or" => "in $a..$b $1";
    }
    "what a function is about stands in parentheses" {
        "seat|player #n" => "seat(#n)";
        "count|sum|top|bottom|first|last|left|right|others|opposite|reversed $N" => "$1($N)";
    }
    "`$2 … in …` is a condition; it needs `has`" {
        "(@ $N in" => "($N in";
    }
    "after `$2 … in …` comes `has`" {
        "@ $N in $z where" => "$1 $N in $z has";
    }
    "the number of members stands first" {
        "$N in #n from|of $z" => "#n $N in $z";
    }
    "a zone or a list is asked whether it is empty" {
        "no $T in $z" => "$z is empty";
        "any|some $T in $z" => "$z is not empty";
    }
    "`shuffle` changes one zone and moves nothing" {
        "then shuffle $x into|in $z" => ": move $x to $z; shuffle $z";
        "shuffle $x into|in $z" => "move $x to $z; shuffle $z";
    }
    "a loop with a condition begins with `while`" {
        "repeat until $c:" => "while not ($c):";
    }
    "what happens to each seat is a loop" {
        "^ $s to each !player|seat $Z" => "each p in seats: $s to $Z(p)";
    }
    "`$_` is not a value" {
        "None|null|Null|NULL|nil|undefined" => "none";
        "True|TRUE" => "true";
        "False|FALSE" => "false";
        "^ no|No $" => "false";
        "^ Yes $" => "true";
    }
    "a list of values is written with `keys`" {
        "[$v for $N in $l if $c]" => "keys($N in $l where $c, $v)";
        "[$v for $N in $l]" => "keys($N in $l, $v)";
    }
    "the list comes first, with a name for its members" {
        "($v for $N in $l if $c)" => "($N in $l where $c, $v)";
        "($v for $N in $l)" => "($N in $l, $v)";
    }
    "the condition of a value comes first" {
        "=|, $v if $c else" => "$1 if $c then $v else";
        "(|[ $v if $c else" => "$1if $c then $v else";
        "^ $v if $c else" => "if $c then $v else";
    }
    "the condition of a statement comes first" {
        "^ !option|choose|may|each $s if $c $" => "if $c: $s";
    }
    "`//` is not an operator; `/` rounds toward zero, and a `#` begins a comment" {
        "// #b" => "/ #b";
    }
    "a choice is written `choose name in list`" {
        "choose one|any of your|my|the| $T $N" => "choose $N in $T";
        "choose a|an|one|the| $T $N from|in|of" => "choose $N in";
        "choose a|an|one|the $T from|in|of $l: $*b it" => "choose $t in $l: $b $t";
        "choose a|an|one|the $T from|in|of" => "choose $t in";
    }
    "a choice needs a list: `choose name in list`" {
        "choose a|an|one|the| $T $N \"$q\"" => "choose $N in $Ts \"$q\"";
        "choose a|an|one|the !of $T" => "choose $t in $Ts";
    }
    "`draw` takes a number, without `$T`" {
        "draw a|an|one|the $T from" => "draw 1 from";
        "draw $N $T from" => "draw $N from";
    }
    "`draw` needs a number" {
        "draw from" => "draw 1 from";
    }
    "`$2 $L` needs a name for the member" {
        "@ $L have|has it" => "$1 x in $Ls has x";
        "@ $L have|has $F" => "$1 x in $Ls has x.$F";
        "@ $L have|has" => "$1 x in $Ls has";
        "@ $L is|are" => "$1 x in $Ls has x is";
        "if @ $L :|and|or" => "ask about each member, as in `$1 x in … has $L[x]`";
        "and @ $L :|and|or" => "ask about each member, as in `$1 x in … has $L[x]`";
    }
    "`have` is written `has`" {
        "@ $N in $l have" => "$1 $N in $l has";
    }
    "`$2 … in … has` is written `$1 … in … has`" {
        "@ $N in $l has" => "$1 $N in $l has";
    }
    "texts join by holes" {
        "\"$t\" ..|& $x" => "\"$t{$x}\"";
    }
    "`:=` is not an operator" {
        "^ $N := $*v" => "write `$N = $v` for a variable of the game, or `let $N = $v`";
    }
    "`+` does not join texts; they contain values in braces" {
        "\"$t\" + $x + \"$u\"" => "\"$t{$x}$u\"";
        "\"$t\" + \"$u\"" => "\"$t$u\"";
        "\"$t\" + $x" => "\"$t{$x}\"";
    }
    "`with $1` is written `with most`" {
        "with max|highest" => "with most";
    }
    "`with $1` is written `with least`" {
        "with min|lowest" => "with least";
    }
    "`$0` is two words" {
        "face-down|up" => "face $1";
        "facedown" => "face down";
        "faceup" => "face up";
        "at-random" => "at random";
        "up-to" => "up to";
    }
    "`$0` is not a name" {
        "the| next player|seat" => "left(active)";
        "previous player" => "right(active)";
        "current|active player" => "active";
        "all players" => "seats";
        "all| other players" => "others(active)";
    }
    "`ask` is a statement: its block is run after a yes" {
        "if ask" => "ask";
    }
    "every text can contain values in braces" {
        "f|F \"$t\"" => "\"$t\"";
        "$ \"$t\"" => "\"$t\"";
    }
    "`move` takes components, not a number of them" {
        "move #n from" => "draw #n from";
        "move #n $T from" => "draw #n from";
    }
    "`move` has no `from`: a component leaves the zone where it is" {
        "move $x from $z to" => "move $x to";
    }
    "`$1 of` is written `at $1`, after the zone" {
        "to bottom|top of $z" => "to $z at $1";
    }
    "`$1` is a function" {
        "top|bottom|first|last $N of|in $z" => "$1($z)";
    }
    "whose zone it is stands in parentheses" {
        "to|from !top|bottom|first|last $Z of $P" => "$1 $Z($P)";
        "into|onto !top|bottom $Z of $P" => "to $Z($P)";
    }
    "who has nothing is asked about every member" {
        "if $x has no $T" => "if no x in $T has x.owner = $x";
    }
    "`say` has a text in quotes, with values in braces" {
        "^ say $F($x)" => "say \"{$F($x)}\"";
    }
    "`all` is not needed: a name stands for the whole list or zone" {
        "move|shuffle|show all $T" => "$1 $T";
    }
    "`$0` is not needed: a name stands for the whole list or zone" {
        "all|every $N in|of|from" => "";
        "the|a|an|my|your|their" => "";
    }
    "a clause stands in brackets" {
        "($C-#n)" => "[$C-#n]";
    }
    "the highest number is the best already" {
        "ranked by most|highest" => "ranked by";
    }
    "the highest number is the best" {
        "ranked by least|lowest $F" => "ranked by -$F";
    }
    "a game ends with those who win" {
        "finish lost"
            => "if nobody wins, write `finish drawn`; if one seat loses, the others win: `finish won by others(p)`";
    }
    "`else` begins a line of its own" {
        "^ if $c then|: $s else :| $*o" => "write `if $c: $s`, and `else: $o` in the line below";
    }
    "what all seats do is a loop" {
        "^ each|every|all player|players $V"
            => "write `each p in seats: …`, as in `each p in seats: draw 2 from deck to hand(p)`";
    }
    "`draw` does not say from which zone" {
        "draw $N $T to $z" => "name the zone, as in `draw $N from deck to $z`";
        "draw #n to $z" => "name the zone, as in `draw #n from deck to $z`";
        "draw !card|cards|a|an|one|the $N to $z" => "draw 1 from $N to $z";
    }
    "a statement does not begin with `}`" {
        "^ }"
            => "remove the `}`; a block consists of the lines that are indented more than its first line";
    }
    "`$_` is not an operator" {
        "**" => "multiply: `x * x`; `product(list)` multiplies all members";
        "(|, $N =>" => "a condition needs no function: `dragons where .owner = active`";
        "(|, $N ->" => "a condition needs no function: `dragons where .owner = active`";
        "=>" => ">=";
        "++|--" => "`x += 1` and `x -= 1` stand on lines of their own";
    }
    "`$N` has no list to choose from" {
        "choose|chooses $N \"$q\"" => "write what is chosen from: `$N in hand(p)`, or `$N in 0..3`";
        "choose|chooses $N where" => "write what is chosen from: `$N in hand(p)`, or `$N in 0..3`";
        "choose|chooses $N $" => "write what is chosen from: `$N in hand(p)`, or `$N in 0..3`";
    }
    "a query is an expression, not statements" {
        "^ return $*v" => "$v";
    }
    "a line of an effect must not begin with `- `" {
        "^ - $*s" => "$s";
    }
    "a bracket is closed by one of its kind" {
        "($*a]" => "[$a]";
        "[$*a)" => "[$a]";
    }
    "a list needs brackets" {
        "in ($*b)" => "in [$b]";
        "^ $a, $*b" => "[$a, $b]";
    }
    "`$_` is not an operator, and begins no comment" {
        "//" => "`/` rounds toward zero; comments begin with `#`";
    }
}

impl Broken<'_> {
    /// Returns the repair of the first row that knows what was meant.
    pub(super) fn slip(self) -> Option<Repair> {
        let line = Line::new(self.text);
        let mut rows = ROWS.iter().filter(|_| self.text.len() <= LINE_MAX);
        rows.find_map(|row| match row.meant.contains('`') {
            true => row.advice(self, &line),
            false => row.rewritten(self, &line),
        })
    }
}

impl Row {
    fn rewritten(&self, broken: Broken<'_>, line: &Line<'_>) -> Option<Repair> {
        let found: Vec<Match<'_>> = self.pattern.matches(line).take(PLACES_MAX).collect();
        let all = (found.len() > 1).then_some(found.as_slice());
        let mut proposals = found.chunks(1).chain(all).filter_map(|found| {
            let fixed = self.replaced(line, found);
            let fixed = match fixed == broken.text || broken.parses(&fixed) {
                true => fixed,
                false => fixed
                    .replace("==", "=")
                    .replace("&&", "and")
                    .replace("||", "or"),
            };
            Some((found.first()?, fixed))
        });
        let (found, fixed) =
            proposals.find(|(_, fixed)| fixed != broken.text && broken.parses(fixed))?;
        let mut repair = Repair {
            message: found.written(self.message),
            help: String::new(),
            place: (0, 0),
            fixed: Some(fixed.clone()),
        };
        let (start, end, new) = repair.change(broken.text)?;
        repair.help = format!("write `{}`", shown(&fixed, start + new.len()));
        let changed = broken.text.get(start..end)?.trim_end();
        repair.place = match changed.is_empty() {
            true => line.bytes(found.start, found.end),
            false => (start, start + changed.len()),
        };
        Some(repair)
    }

    /// Returns the line with what is meant in place of each match; those that overlap an earlier one stay.
    fn replaced(&self, line: &Line<'_>, found: &[Match<'_>]) -> String {
        let mut written = String::new();
        let mut behind = 0;
        for found in found {
            let (start, end) = line.bytes(found.start, found.end);
            let (Some(before), Some(rest)) = (line.text.get(behind..start), line.text.get(end..))
            else {
                continue;
            };
            written.push_str(match self.meant.starts_with(':') {
                true => before.trim_end(),
                false => before,
            });
            written.push_str(&found.written(self.meant));
            behind = end + usize::from(self.meant.is_empty() && rest.starts_with(' '));
        }
        written + line.text.get(behind..).unwrap_or_default()
    }

    fn advice(&self, broken: Broken<'_>, line: &Line<'_>) -> Option<Repair> {
        let mut matches = self.pattern.matches(line);
        let found = matches.find(|found| {
            let (start, end) = line.bytes(found.start, found.end);
            let proposals = self.meant.split('`').skip(1).step_by(2);
            let mut whole =
                proposals.filter(|it| it.len() > 1 && it.contains(['$', '#']) && !it.contains('…'));
            (start..=end).contains(&broken.at) && whole.all(|it| can_be_written(&found.written(it)))
        })?;
        Some(Repair {
            message: found.written(self.message),
            help: found.written(self.meant),
            place: line.bytes(found.last, found.last + 1),
            fixed: None,
        })
    }
}

fn can_be_written(proposal: &str) -> bool {
    let parses = |rule| Grammar::parse(rule, proposal).is_ok();
    parses(Rule::only_line) || parses(Rule::only_expr)
}
