(comment) @comment
(text) @string
(escape) @string.escape
(hole) @embedded
(number) @number
(clause) @label
(call function: (name) @function)
(field field: (name) @property)
(of_it field: (name) @property)
(let name: (name) @variable)
(let_in name: (name) @variable)
(binder name: (name) @variable)
(each name: (name) @variable)
(each_chooses name: (name) @variable)
(quantified name: (name) @variable)
(option name: (name) @constant)
(phase name: (name) @constant)
((name) @constant.builtin (#match? @constant.builtin "^(true|false|none|it|me|active|seats|viewer)$"))
[
  "let" "if" "else" "each" "any" "repeat" "times" "while" "choose" "chooses" "may" "option" "ask" "move" "draw" "shuffle" "roll"
  "swap" "rotate" "record" "turn" "turns" "as" "phase" "round" "say" "show" "finish" "stop" "next" "return" "proceed" "prevent"
  "default" "label" "ranked" "won" "drawn"
] @keyword
["and" "or" "not" "in" "is" "where" "sorted" "with" "most" "least" "then" "some" "every" "no" "has" "mod" "to" "from" "at" "by"] @keyword.operator
["=" "+=" "-=" "!=" "<" "<=" ">" ">=" "+" "-" "*" "/" ".."] @operator
["(" ")" "[" "]"] @punctuation.bracket
["," ";" ":"] @punctuation.delimiter
