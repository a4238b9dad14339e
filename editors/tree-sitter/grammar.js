// The effect language of Wyrmgate for tree-sitter. rules/guide/reference.md describes it, and the compiler reads it by a grammar of its own
// (crates/grammar/src/effect.pest); ./test parses every example of that page and every effect of the shipped games.

const FILTER = 1, REACHING = 2, OR = 3, AND = 4, CITED = 5, NOT = 6, COMPARISON = 7, RANGE = 8, SUM = 9, PRODUCT = 10, NEGATIVE = 11;

const separated = (sign, rule) => seq(rule, repeat(seq(sign, rule)));

// The part after `choose`.
const chosen = ($) => [
  optional($.binders),
  repeat(choice($.by, $.at_random, $.only_if, $.default, $.in_any_case, $.sequence, $.labeled, $.text)),
  optional($.clauses),
];

export default grammar({
  name: "wyrmgate",
  word: ($) => $.name,
  extras: ($) => [/[ \t\r\n]/, /\\\r?\n/, $.comment],
  externals: ($) => [$._newline, $._indent, $._dedent, $._error],
  supertypes: ($) => [$._expression],
  conflicts: ($) => [
    [$.ask, $._operand],
    [$._option, $._operand],
  ],

  rules: {
    source_file: ($) => seq(optional($._newline), repeat($._sentence)),

    // A line: statements, of which the last may have a body that goes on to the end of the line, or a block.
    _sentence: ($) => seq(repeat(seq($._simple, ";")), choice(seq($._simple, optional(";"), $._newline), $._compound)),
    body: ($) => seq(":", choice($._sentence, $._block)),
    _block: ($) => seq($._indent, repeat1($._sentence), $._dedent),

    _simple: ($) => choice($.let, $.set, $.choose, $.option, $.each_chooses, $.jump, $.return, $.verb, $.turn_over, $.say, $.finish, $.phrase),
    _compound: ($) =>
      choice($.if, $.else, $.each, $.repeat, $.while, $.ask, $.turn_of, $.turns, $.as, $.phase, $.round,
        alias($._choose_with_body, $.choose), alias($._option_with_body, $.option), alias($._each_chooses_with_body, $.each_chooses)),

    let: ($) => seq("let", field("name", $._name), "=", $._expression),
    set: ($) => prec(1, seq($._operand, choice("=", "+=", "-="), $._expression)),
    if: ($) => seq("if", $._expression, $.body),
    else: ($) => seq("else", optional(seq("if", $._expression)), $.body),
    each: ($) => seq("each", field("name", $._name), "in", $._expression, optional($.clauses), $.body),
    repeat: ($) => seq("repeat", optional(seq($._expression, "times")), optional($.clauses), $.body),
    while: ($) => seq("while", $._expression, $.body),
    return: ($) => seq("return", $._expression),
    jump: ($) => seq(choice("stop", "next", "return", "proceed", "prevent"), optional($.clauses)),

    choose: ($) => seq(optional("may"), "choose", ...chosen($)),
    _choose_with_body: ($) => seq(optional("may"), "choose", ...chosen($), $.body),
    each_chooses: ($) => seq(choice("each", "any"), field("name", $._name), "in", $._expression, choice("chooses", seq("may", "choose")), ...chosen($)),
    _each_chooses_with_body: ($) =>
      seq(choice("each", "any"), field("name", $._name), "in", $._expression, choice("chooses", seq("may", "choose")), ...chosen($), $.body),
    _option: ($) => seq("option", field("name", $._name), optional($.text), optional($.binders), optional($.only_if), optional($.default), optional($.clauses)),
    option: ($) => $._option,
    _option_with_body: ($) => seq($._option, $.body),
    ask: ($) => seq("ask", optional($._expression), $.text, optional(seq("default", choice("yes", "no"))), optional($.clauses), $.body),
    binders: ($) => prec.right(separated(",", $.binder)),
    binder: ($) => choice(
      seq(optional(choice("ordered", "repeated")), optional($.quantity), field("name", $._name), "in", $._expression),
      seq("path", optional($.quantity), field("name", $._name), "from", $._term, "in", $._expression),
    ),
    quantity: ($) => choice("any", seq("up", "to", $._term), $._term),
    by: ($) => seq("by", $._expression),
    at_random: ($) => prec.right(seq("at", "random", optional(seq("weighted", "by", $._expression)))),
    sequence: ($) =>
      prec.right(seq(
        choice(token(prec(2, /as +often +as +possible/)), token(prec(2, /until +all +decline/)), seq(token(prec(2, /for +most/)), $._expression)),
        optional(seq("up", "to", $._expression, optional(seq("times", optional("each"))))),
      )),
    labeled: ($) => seq("label", $.text),
    in_any_case: (_) => token(prec(2, /in +any +case/)),
    only_if: ($) => seq("if", $._expression),
    default: ($) => prec.right(seq("default", optional(seq("where", $._expression)))),

    verb: ($) =>
      choice(
        prec.right(seq("move", $._expression, "to", $._expression, repeat(choice($.at, $.face, $.turned)), optional($.clauses))),
        prec.right(seq("draw", $._expression, "from", $._expression, "to", $._expression, optional($.face), optional($.clauses))),
        seq(choice("shuffle", "roll", "rotate", "record"), $._expression),
        seq("swap", $._expression, "with", $._expression),
        seq("show", $._expression, "to", $._expression),
      ),
    turn_over: ($) => seq("turn", $._expression, $.face, optional($.clauses)),
    say: ($) => prec.right(seq("say", $.text, optional(seq("to", $._expression)), optional($.clauses))),
    at: ($) => seq("at", choice("bottom", "top", $._term)),
    face: (_) => seq("face", choice("up", "down")),
    turned: ($) => seq("turned", $._term),

    turn_of: ($) => seq("turn", "of", $._expression, optional($.clauses), $.body),
    turns: ($) => seq("turns", "from", $._expression, repeat(seq(choice("by", "skipping", "repeating"), $._expression)), optional($.clauses), $.body),
    as: ($) => seq("as", $._expression, optional($.clauses), $.body),
    phase: ($) => seq("phase", field("name", $._name), optional($.clauses), $.body),
    round: ($) => seq("round", optional($.clauses), $.body),
    finish: ($) =>
      prec.right(seq("finish", choice(seq("ranked", "by", separated(",", $._expression), optional(seq(",", "ties", "drawn"))), seq("won", "by", $._expression), "drawn"), optional($.clauses))),

    // A sentence of the game's own words, as its signature says.
    phrase: ($) => prec.right(seq($._term, repeat(choice($._term, alias($._reserved, $.word))), optional($.clauses))),
    _reserved: (_) => choice("and", "or", "not", "in", "is", "where", "if", "then", "else", "some", "every", "no", "has", "mod"),

    _expression: ($) =>
      choice($.filter, $.quantified, $.conditional, $.let_in, $.selected, $.or, $.and, $.cited, $.not, $.comparison, $.is, $.range, $.sum, $.product, $.negative, $._operand),
    filter: ($) =>
      choice(
        prec.left(FILTER, seq($._expression, "where", $._expression)),
        prec.left(FILTER, seq($._expression, "sorted", "by", optional("most"), $._expression)),
        prec.left(FILTER, seq($._expression, "with", choice("most", "least"), $._expression)),
      ),
    quantified: ($) => prec.right(REACHING, seq(choice("some", "every", "no"), field("name", $._name), "in", $._expression, "has", $._expression)),
    conditional: ($) => prec.right(REACHING, seq("if", $._expression, "then", $._expression, "else", $._expression)),
    let_in: ($) => prec.right(REACHING, seq("let", field("name", $._name), "=", $._expression, ";", $._expression)),
    selected: ($) => prec.right(REACHING, seq(choice("any", seq(optional(seq("up", "to")), choice($.number, $._name))), field("name", $._name), "in", $._expression)),
    or: ($) => prec.left(OR, seq($._expression, "or", $._expression)),
    and: ($) => prec.left(AND, seq($._expression, "and", $._expression)),
    cited: ($) => prec.left(CITED, seq($._expression, $.clauses)),
    not: ($) => prec(NOT, seq("not", $._expression)),
    comparison: ($) => prec.left(COMPARISON, seq($._expression, choice("=", "!=", "<", "<=", ">", ">=", "in", seq("not", "in")), $._expression)),
    is: ($) => prec.left(COMPARISON, seq($._expression, "is", optional("not"), field("test", $._word))),
    range: ($) => prec.left(RANGE, seq($._expression, "..", $._expression)),
    sum: ($) => prec.left(SUM, seq($._expression, choice("+", $._minus), $._expression)),
    product: ($) => prec.left(PRODUCT, seq($._expression, choice("*", "/", "mod"), $._expression)),
    negative: ($) => prec(NEGATIVE, seq("-", $._expression)),
    _minus: (_) => alias(token(prec(1, /-[ \t]/)), "-"),

    // Expressions that may precede words: no comparisons, no `and`.
    _term: ($) => choice($._operand, alias($._term_sum, $.sum), alias($._term_product, $.product), alias($._term_negative, $.negative)),
    _term_sum: ($) => prec.left(SUM, seq($._term, choice("+", $._minus), $._term)),
    _term_product: ($) => prec.left(PRODUCT, seq($._term, choice("*", "/", "mod"), $._term)),
    _term_negative: ($) => prec(NEGATIVE, seq("-", $._term)),

    _operand: ($) => choice($.number, $.text, $.group, $.list, $._name, $.call, $.field, $.index, $.of_it),
    of_it: ($) => seq(".", field("field", $._word), optional($.arguments)),
    // These words are names before a parenthesis.
    _callable: ($) => choice($._name, alias(choice("any", "bottom", "record", "return", "rotate", "top"), $.name)),
    call: ($) => prec(20, seq(field("function", $._callable), $.arguments)),
    field: ($) => prec.right(20, seq($._operand, token.immediate("."), field("field", $._word), optional($.arguments))),
    index: ($) => prec(20, seq($._operand, token.immediate("["), $._expression, "]")),
    arguments: ($) => seq(token.immediate("("), separated(",", $._expression), ")"),
    group: ($) => seq("(", $._expression, ")"),
    list: ($) => seq("[", optional(separated(",", $._expression)), "]"),
    clauses: ($) => seq("[", $.clause, repeat(seq(optional(","), $.clause)), "]"),

    text: ($) => seq('"', repeat(choice($.literal, $.escape, $.hole)), token.immediate('"')),
    literal: (_) => token.immediate(prec(1, /[^"\\{\n]+/)),
    escape: (_) => token.immediate(/\\["\\n{}]/),
    hole: ($) => seq(token.immediate("{"), $._expression, "}"),

    _word: ($) => choice($._name, alias("no", $.name), alias("some", $.name), alias("every", $.name)),
    _name: ($) => choice($.name),
    name: (_) => /[a-z][a-z0-9_]*/,
    number: (_) => /[0-9]+/,
    clause: (_) => token(prec(1, /[A-Z][A-Z]+-[0-9]+/)),
    comment: (_) => token(seq("#", /[^\n]*/)),
  },
});
