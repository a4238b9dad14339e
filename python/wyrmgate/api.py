"""The types of the API's documents. `python/generate` writes this file from `openapi/openapi.json`."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union


class _AbortedEvent(TypedDict):
    type: Literal["aborted"]


class AbortedEvent(_AbortedEvent, total=False):
    """A seat, or the owner of the session, called the game off."""

    # The seat
    seat: int


class AbsenceVotedEvent(TypedDict):
    """A seat wants those replaced who owe a decision."""

    type: Literal["absence-voted"]
    # The seat
    seat: int


class ActionInWords(TypedDict):
    """An action in words."""

    number: int
    text: str


class _ActionSpace(TypedDict):
    ruleset: str
    game: str
    seats: int
    options: dict[str, OptionValue]
    # The number of actions. They are numbered from 0.
    size: int
    # False: an action is a whole choice, whose number is `first` of its option, plus the number of its values
    # among all that they could be; the last argument changes fastest. True, where there would be more than
    # 2^20 choices: an action is a part. A choice is the number of its option in `choices`, then for each
    # argument `first_part` plus the number of each value; after a list comes the last action of all, which
    # ends it.
    factored: bool
    # The maximum number of actions in one choice. 1 unless the space is factored.
    actions_in_choice: int
    # The maximum number of actions in a game.
    max_game_length: int
    has_hidden_information: bool
    has_chance: bool
    # Whether several seats can decide at once, in secret.
    has_simultaneous_decisions: bool
    returns: ReturnsDoc
    # The options of all decisions, in the order of their numbers.
    choices: list[ChoiceSpace]


class ActionSpace(_ActionSpace, total=False):
    """The actions of a game, and what it is worth. They depend on the ruleset, the number of seats and the
    options alone."""

    # With `numbers`: these actions in words.
    actions: list[ActionInWords] | None


class Actions(TypedDict):
    """The decisions that the caller owes."""

    # The id of the session.
    session: str
    version: int
    # The stage of a session.
    status: Literal["waiting", "running", "finished"] | str
    seat: int
    # The owed decisions, each with a page of its choices. A seat owes at most one decision at a time.
    items: list[Decision]
    # The cursor of the next page of choices.
    next: str | None


class _ArgumentList(TypedDict):
    # Whether the value is a list.
    many: bool
    # Whether the order of the list matters.
    ordered: bool
    # Whether a value can occur more than once in the list.
    repeats: bool


class ArgumentList(_ArgumentList, total=False):
    """The list that an argument is, if it is one."""

    # Minimum length of the list, if the rules state a number.
    least: int | None
    # Maximum length of the list.
    most: int | None


class BatchItem(TypedDict, total=False):
    """A session of the batch, or why there is none."""

    session: CreatedSession | None
    problem: Problem | None


class ChanceNode(TypedDict):
    """A place where chance decides."""

    # The number of outcomes, which are equally likely. The next step names one of them in `chance`, from 0.
    outcomes: int


class _Change(TypedDict):
    # The version after the change. It is also a cursor: `after=version` continues behind it.
    version: int
    at: str
    events: list[GameEvent]


class Change(_Change, total=False):
    """A public change: the version it led to and its events, as far as the caller may know them."""

    status: Literal["waiting", "running", "finished"] | str | None
    # The seats that owe a decision after the change.
    owing: list[int] | None
    # When these seats run out of time, if the session has a clock.
    deadlines: list[Deadline] | None
    # The time that each seat had left for the whole game after the change, if that is limited.
    times: list[TimeLeft]
    # With `form=patch`: the operations from the caller's previous view (`GET …/view?at=version-1`) to the one
    # after this change. Version 1 is patched from nothing.
    patch: list[Operation] | None
    view: View | None
    # With `include=actions`: the decisions that the caller owed after the change, with up to 500 choices
    # each.
    decisions: list[Decision] | None


class ChangePage(TypedDict):
    """A page of changes."""

    items: list[Change]
    # Value of `after` for the next page. Absent if this page is the last one so far.
    next: str | None


class CheckedRuleset(TypedDict):
    """Rules that passed the check."""

    # Use it as `ruleset` to create sessions.
    digest: str
    # The game and its overlays, as in `some-game+house`.
    name: str
    # The supported numbers of seats.
    players: list[int]
    # Warnings about the rules.
    warnings: list[Finding]
    # Link to the ruleset. It exists only after an upload.
    ruleset_link: str


class _Choice(TypedDict):
    # Identifies the choice; a move needs nothing else. Valid at this position only.
    id: str
    # The chosen values, by name.
    args: dict[str, Any]
    # The choice in words.
    label: str
    # Ids of the components and zones that the choice refers to.
    refers: list[str]


class Choice(_Choice, total=False):
    """One possible answer to a decision."""

    # The option, if the decision has options.
    option: str | None
    # The choice in the notation of the game, if it has one.
    notation: str | None
    # In the answer to a step with `include: ["actions"]`: the number of the choice in the action space; in a
    # factored space, the numbers of its parts.
    action: list[int] | None


class _ChoiceDomain(TypedDict):
    name: str
    # Whether the value is a list.
    many: bool
    # Whether the order of the list matters.
    ordered: bool
    # Whether a value can occur more than once in the list.
    repeats: bool
    # Null if there are more than a thousand.
    values: list[Any] | None


class ChoiceDomain(_ChoiceDomain, total=False):
    """The values that one name of a choice can have."""

    # Present if any number up to `maximum` is given, and `values` are examples. A condition of the rules can
    # still refuse one.
    minimum: int | None
    maximum: int | None
    # Present if a text of up to so many characters is given, and `values` are examples.
    max_length: int | None


class ChoiceMade(TypedDict):
    """States that a seat has chosen, without the choice."""

    seat: int
    # Whether a built-in player chose.
    bot: bool


class _ChoiceSpace(TypedDict):
    # The name of the decision.
    decision: str
    # Empty if the decision has only one option.
    option: str
    args: list[ArgumentDoc]


class ChoiceSpace(_ChoiceSpace, total=False):
    """The choices of one option."""

    # The number of its first choice, unless the space is factored.
    first: int | None
    # The number of its choices, unless the space is factored.
    size: int | None


class _ChoiceTemplate(TypedDict):
    args: list[ChoiceDomain]


class ChoiceTemplate(_ChoiceTemplate, total=False):
    """The choices of one option."""

    option: str | None


class _ChoseEvent(TypedDict):
    type: Literal["chose"]
    # The seat
    seat: int


class ChoseEvent(_ChoseEvent, total=False):
    """A seat made a choice."""

    # The `name` of the decision
    decision: str
    # The option, if the decision has several
    option: str
    # The chosen values: a value or a list of values for each name
    args: dict[str, Any]
    # The choice in words, as far as the viewer may know it
    label: str
    # The choice in the notation of a game that hides nothing
    notation: str


class ClaimedEvent(TypedDict):
    """A seat claimed that the others are absent."""

    type: Literal["claimed"]
    # The seat
    seat: int


class ClauseText(TypedDict):
    """A numbered clause of a game's rules."""

    id: str
    text: str


class Clock(TypedDict, total=False):
    """Time limits."""

    # Time for one decision.
    decision_ms: int | None
    # Total time of a seat for all of its decisions.
    game_ms: int | None
    # Time added to `game_ms` after each decision.
    increment_ms: int
    # Time for each decision that costs nothing of `game_ms`.
    delay_ms: int
    # When the time of a delay does not count: the clock waits before it runs (`simple`), or what the decision
    # took, at most the delay, is given back after it (`bronstein`).
    delay: Literal["simple", "bronstein"] | str
    # Byo-yomi: periods after `game_ms`. A decision that takes less than one costs none.
    periods: int
    # How long a period is.
    period_ms: int
    at_end: Literal["lose", "default", "random", "bot", "free"] | str | None


class _Component(TypedDict):
    # Position in its zone, from 1.
    place: int


class Component(_Component, total=False):
    """A component, such as a card, a tile, a die or a piece. It also has the fields of its kind."""

    # Present only if the viewer may know which component this is.
    id: str | None
    kind: str | None
    # Title for people.
    title: str | None
    # `up` or `down`. For a die, the side it shows.
    face: Any
    holds: Zone | None
    # Its cell on an open grid, as `x,y`.
    cell: str | None
    # Quarter turns clockwise, on an open grid.
    turned: int | None


class CreatedBatch(TypedDict):
    # In the order of the request.
    items: list[BatchItem]


class Deadline(TypedDict):
    """The time at which a seat runs out of time."""

    seat: int
    at: str


class _Decision(TypedDict):
    # Identifies the decision at this position.
    id: str
    # Identifies the place in the rules. It is the same for every seat and every time. Standing orders refer
    # to it.
    name: str
    # The seat that decides.
    seat: int
    # The question in words.
    prompt: str | None
    # The form of a decision, so that a client can show a suitable control.
    kind: Literal["pick", "subset", "order", "amount", "placement", "path", "yes-no", "value", "text"] | str
    # Total number of choices. 2^53 − 1 means at least that many. Of a name that is given, examples count.
    count: int
    # Whether `choices` lists all of them.
    complete: bool
    # The clauses of the rules that this decision implements.
    clauses: list[str]
    # Names of the options that have choices. Includes `decline` if the seat may decline all other choices.
    options: list[str]
    choices: list[Choice]


class Decision(_Decision, total=False):
    """A decision that a seat owes. The list of choices is exact: a choice is accepted if and only if it is
    listed. A number from more than 1,024, or a text, is given instead: `template` has `minimum` and
    `maximum`, or `max_length`, and the list has examples."""

    # Groups of components that nothing distinguishes for this seat, such as equal cards in its hand. Choices
    # refer to the first ones of each group. Let a person who points at another one choose the same.
    alike: list[list[str]]
    # Present if `choices` lists only a part. Describes, for each option, the values that occur in the list.
    # You can name a choice by `option` and `args` as well as by its id. Not every combination is a choice;
    # ask `action-checks`.
    template: list[ChoiceTemplate] | None


class DecisionInfo(TypedDict):
    """A place in the rules where a seat decides."""

    # The name that decisions and standing orders use.
    name: str
    options: list[OptionInfo]
    # Whether the rules declare a default choice for a seat that runs out of time.
    has_default: bool
    # Ids of the clauses that the decision implements.
    clauses: list[str]


class DeclinedEvent(TypedDict):
    """Whom the session was waiting for declined; it is over."""

    type: Literal["declined"]
    # The seat
    seat: int


class DigestMessage(TypedDict):
    """The daily message to a player for whom games wait."""

    # `games.waiting`.
    type: str
    timestamp: str
    data: WaitingSessions


class DrawAcceptedEvent(TypedDict):
    """A seat agrees to the draw."""

    type: Literal["draw-accepted"]
    # The seat
    seat: int


class DrawDeclinedEvent(TypedDict):
    """A seat declined the draw."""

    type: Literal["draw-declined"]
    # The seat
    seat: int


class DrawOfferedEvent(TypedDict):
    """A seat offers a draw."""

    type: Literal["draw-offered"]
    # The seat
    seat: int


class DrawWithdrawnEvent(TypedDict):
    """A seat no longer offers a draw."""

    type: Literal["draw-withdrawn"]
    # The seat
    seat: int


class _DrawnEvent(TypedDict):
    type: Literal["drawn"]


class DrawnEvent(_DrawnEvent, total=False):
    """Chance chose. Only records tell."""

    # The option, if the decision has several
    option: str
    # The chosen values: a value or a list of values for each name
    args: dict[str, Any]


class EndingInfo(TypedDict):
    """A place in the rules where the game ends."""

    # `won`, `drawn` or `ranked`.
    result: str
    # Ids of the clauses that it implements, or the condition before it.
    clauses: list[str]


class Endings(TypedDict, total=False):
    """How a game may end besides by its rules."""

    # What follows when a seat resigns: `never` forbids it; `loses` takes the seat out of the game as the
    # rules say, or gives the win to the other one of two sides; otherwise, this built-in player plays on
    # (`default` takes the defaults of the rules). Defaults to `loses` where that is possible (`resigns` of
    # the game, or two sides), otherwise to `greedy`.
    resignations: str | None
    # Whether all seats together can agree on a draw. Only if the rules allow it (`draws` of the game), which
    # is the default.
    draws: bool | None
    # Whether a seat can call the game off while no seat has moved twice.
    aborts: bool
    # After this time without any change, a seat that owes nothing can claim the win with two seats; with
    # more, the seats that owe a decision are left to others. Null: never. With a clock, who is absent runs
    # out of time; a claim is then only a vote.
    claims_after_ms: int | None


class ExpiredEvent(TypedDict):
    """The session has waited for too long; it is over."""

    type: Literal["expired"]


class FieldDoc(TypedDict):
    """A field of a component or zone."""

    name: str
    # `number`, `bool`, `seat`, `component`, `zone`, `place`, `side`, or the name of a type. `bundle of` a
    # type is an object from the names of its values to numbers: `{"wood": 2, "ore": 0}`.
    type: str
    # Whether the field is visible when the component is face down.
    on_back: bool


class FieldError(TypedDict):
    """A part of the request that is wrong."""

    # A JSON Pointer into the body, or the name of a parameter or header.
    pointer: str
    code: str
    detail: str


class FindingPlace(TypedDict):
    """A range of characters in a file. Lines and columns count from 1."""

    file: str | None
    line: int
    column: int
    end_line: int
    end_column: int


class FinishedEvent(TypedDict):
    """The game ended."""

    type: Literal["finished"]
    outcome: Outcome


class ForkedEvent(TypedDict):
    """A fork was created before the end: the session is practice from now on."""

    type: Literal["forked"]


class _FoundSeat(TypedDict):
    # Whether others are there. Otherwise you wait in the session until somebody comes: then its game begins,
    # or it ends and you sit in another one (`matched_in`), with the same token.
    matched: bool
    seat: int
    session: Session


class FoundSeat(_FoundSeat, total=False):
    """The seat of a seeker."""

    # Token for the seat, unless you are a player. Shown once.
    token: str | None


class _Game(TypedDict):
    # The name that sessions use.
    name: str
    title: str
    about: str
    # The languages of its texts. The first is the language of the rules.
    languages: list[str]
    # The supported numbers of seats.
    players: list[int]
    options: list[GameOption]
    endings: GameEndings
    # The variants of the game. A session selects them with `variant`.
    variants: list[Variant]
    # Digest of the current ruleset.
    ruleset: str
    # Link to its rules.
    ruleset_link: str
    # Link to the numbers of its choices, for programs that learn.
    actions_link: str


class Game(_Game, total=False):
    """A game of the catalog."""

    # Set if the newest version of the rules has errors and this is an older one. Lists the errors of the
    # newest version.
    broken: list[Finding] | None


class GameBeganEvent(TypedDict):
    """The game began."""

    type: Literal["game-began"]


class GameEndings(TypedDict):
    """How sessions of a game may end besides by its rules, as far as their `endings` allow."""

    # Whether all players may agree on a draw.
    draws: bool
    # Whether the rules say what follows when a seat resigns. Otherwise the other one of two sides wins.
    resigns: bool


class _GameOption(TypedDict):
    name: str
    title: str
    # A description of its changes. Empty if the title says enough.
    text: str
    # The type of an option.
    kind: Literal["bool", "number", "name"] | str
    # The default value: a number, a Boolean or a name.
    default: OptionValue
    # Conditions on options and seats. All of them must hold for any value other than the default.
    requires: list[str]
    # Conditions on options and seats. None of them may hold for any value other than the default.
    excludes: list[str]


class GameOption(_GameOption, total=False):
    """A setting that is chosen when a session is created."""

    # Defaults by number of seats, if they depend on it.
    default_with_seats: dict[str, OptionValue]
    # Minimum of a `number`.
    low: int | None
    # Maximum of a `number`.
    high: int | None
    # Distance between allowed values of a `number`.
    step: int | None
    # The allowed values of a `name`.
    names: list[str] | None
    # The titles of the names.
    titles: list[str] | None


class GamePage(TypedDict):
    """A page of games."""

    items: list[Game]
    # Cursor of the next page.
    next: str | None


class _GameRecord(TypedDict):
    format: int
    game: str
    # The digest of the ruleset.
    ruleset: str
    seats: int
    options: dict[str, OptionValue]
    # Every choice, in order.
    log: list[RecordedChoice]


class GameRecord(_GameRecord, total=False):
    """Everything needed to replay a game: rules, seed and choices."""

    # The seed, in hexadecimal digits. It is derived from the members of `fairness`.
    seed: str | None
    fairness: RecordedFairness | None
    # Every random operation, in order, so that the seed can be verified without the rules.
    chance: list[RecordedChance] | None
    outcome: Outcome | None
    # Present and true if choices were undone although someone had learned something from them, or may have.
    past_information: bool


class GameState(TypedDict):
    """The state of a game as one viewer may know it."""

    # The name of the game.
    game: str
    # Number of seats.
    seats: int
    # The seat whose turn it is.
    active: int | None
    round: int
    turn: int
    phase: str | None
    # The scores, seat 1 first.
    scores: list[int]
    # The variables of the game that the viewer may know. A record is an object with its parts.
    vars: dict[str, Any]
    # The zones by id, in the order of the rules.
    zones: dict[str, Zone]
    # The seats that owe a decision.
    decisions: list[Owing]
    outcome: Outcome | None


class Health(TypedDict):
    """The state of the process."""

    status: str


class Imagine(TypedDict):
    """A number of states that are consistent with everything that a seat has observed since the game began, for
    bots that search without cheating. Each state has fresh random numbers."""

    seat: int
    count: int


class _KindDoc(TypedDict):
    name: str
    title: str
    text: str
    fields: list[FieldDoc]
    # The ids of its components.
    components: list[str]


class KindDoc(_KindDoc, total=False):
    """A kind of component."""

    # The kind that this one extends.
    family: str | None


class LeaderboardPage(TypedDict):
    """A page of a leaderboard."""

    items: list[RankedPlayer]
    # Cursor of the next page.
    next: str | None


class Limits(TypedDict):
    """The limits of this server. Requests that exceed them are refused."""

    # Maximum size of a request body, in bytes.
    body_bytes: int
    # Maximum number of items in a page.
    page_items: int
    # Maximum time for a body to arrive.
    body_ms: int
    # Time budget of `imagine` (`imagine-time`).
    imagine_ms: int
    # Maximum number of steps in one request.
    steps: int
    # Time budget of a list of steps (`step-time`).
    steps_ms: int
    # Time budget for checking rules (`check-time`).
    check_ms: int
    # Time budget for replaying a record (`replay-time`).
    replay_ms: int
    # Time budget for finding out how far back an undo may go (`undo-time`).
    undo_ms: int
    # A session expires after this time without changes.
    session_lifetime_ms: int
    # Maximum number of webhooks of a session. 0 if webhooks are off.
    session_webhooks: int


class Links(TypedDict):
    """Links, as relative references."""

    games: str
    sessions: str
    # Seek others to play with.
    seeks: str
    tournaments: str
    # Upload rules.
    rulesets: str
    # Check rules without storing them.
    ruleset_checks: str
    simulations: str
    steps: str
    openapi: str
    docs: str
    problems: str


class MatchedEvent(TypedDict):
    """The player here sits in another session now (`matched_in`); this one is over."""

    type: Literal["matched"]


class MessagePage(TypedDict):
    """The messages of a table."""

    items: list[ReadMessage]
    # Always null.
    next: str | None
    # The seats that read what the caller writes to its team. Empty if it has none.
    team: list[int]


class MessageReceipt(TypedDict):
    """The receipt of a message."""

    id: str
    at: str


class _MoveReceipt(TypedDict):
    # The id of the session.
    session: str
    # The version of the session after the move. A secret answer does not change it.
    version: int
    # The choices made, in order: answers that were secret until now, this move, and the moves of bots after
    # it.
    choices: list[ChoiceMade]
    # Whether the answer is still secret: it is one of several that are revealed together.
    secret: bool
    # The stage of a session.
    status: Literal["waiting", "running", "finished"] | str
    at: str
    # The events of the move, as far as the caller may know them.
    events: list[GameEvent]


class MoveReceipt(_MoveReceipt, total=False):
    """A move that was made."""

    # The seats that owe a decision after the move. Absent in receipts of moves that earlier versions of this
    # program have logged.
    owing: list[int] | None
    # When these seats run out of time, if the session has a clock.
    deadlines: list[Deadline] | None
    # The time that each seat has left for the whole game, if that is limited.
    times: list[TimeLeft]
    view: View | None
    # With `include=actions`: the decisions that the caller owes after the move, with up to 500 choices each.
    decisions: list[Decision] | None


MovedEvent = TypedDict(
    "MovedEvent", {
    "type": "Literal[\"moved\"]",
    "component": "str | None",
    "from": "str | None",
    "from_place": "int | None",
    "to": "str | None",
    "to_place": "int | None",
    "face": "str",
    "cell": "str",
    "turned": "int",
}, total=False)


class NewBrowser(TypedDict):
    """The subscription of a browser, as `PushSubscription.toJSON()` returns it, without its time of expiry."""

    # The address of its push service for it, which must be one that webhooks may call.
    endpoint: str
    keys: NewBrowserKeys


class NewBrowserKeys(TypedDict):
    """The keys of a browser."""

    p256dh: str
    auth: str


class NewClaim(TypedDict, total=False):
    """The player who takes the seat."""

    # Display name. Space around it is removed. It must not be blank or contain control characters or other
    # invisible characters, except joiners between letters that need them and in emoji.
    name: str | None
    bot: BotName | None
    # Issues a new token for a taken seat and invalidates the old one. For the player of the seat, and, if it
    # is not known across sessions, for the owner of the session, who can hand the new token to a player that
    # has lost the old one.
    renew: bool
    # Leaves the seat to this player, who alone can take it then: `me`, an id (`p_…`), or a name of yours. For
    # the player of the seat and for the owner of the session. Excludes all other members.
    reserve_for: str | None
    # The invite code of a private session. Needed if no other credential grants access.
    invite_code: str | None
    # Random number of your own, in hexadecimal digits. It is mixed into the seed, so that nobody else can
    # have chosen the random numbers of the game. Only people can send it, and only before the game begins.
    entropy: str | None
    # A secret of your own, new for each claim and unpredictable, such as 32 random hexadecimal digits. It
    # makes the claim repeatable: if the response is lost, the same claim with the same secret receives the
    # same token again, and one with another name is refused. Only its digest is kept. Only people who take a
    # seat can send it.
    secret: str | None


class NewDrawOffer(TypedDict, total=False):
    """An offer of a draw, or the answer to one."""

    # Accepts another seat's offer, or declines it; `false` also withdraws your own. Without it, you offer a
    # draw, or accept if there is an offer.
    agree: bool | None


class NewFork(TypedDict, total=False):
    """The position and the seats of the fork."""

    # The version to continue from. Defaults to the current version.
    version: int | None
    # The seats, seat 1 first. By default all seats are open.
    seats: list[PlainSeat] | None


class _NewKeyWebhook(TypedDict):
    # As for a session.
    url: str
    # The events to send, each once.
    events: list[WebhookEvent]


class NewKeyWebhook(_NewKeyWebhook, total=False):
    """A webhook for the sessions that an operator key creates."""

    format: WebhookFormat
    # If there are any, only sessions with one of these tags count.
    tags: list[str]


class _NewMessage(TypedDict):
    # One line, without control characters.
    text: str


class NewMessage(_NewMessage, total=False):
    """A message to write."""

    to: MessageReaders


class NewMove(TypedDict, total=False):
    """A choice: the `id` of a listed choice, or an explicit choice by `option` and `args`."""

    # The id of a listed choice.
    id: str | None
    # The version that the move applies to.
    version: int | None
    # The seat that chooses. Must be the caller's seat.
    seat: int | None
    # The id of the decision to answer.
    decision: str | None
    # The option, if the decision has several.
    option: str | None
    # The chosen values, by name.
    args: OpenObject | None


class NewPause(TypedDict):
    """Whether the game should be paused."""

    # `true` asks for a pause or agrees to one; `false` ends it, or declines or withdraws a request.
    paused: bool


class _NewPlayerWebhook(TypedDict):
    # As for a session.
    url: str
    # The events to send, each once. Only a digest needs none.
    events: list[WebhookEvent]


class NewPlayerWebhook(_NewPlayerWebhook, total=False):
    """A webhook for the sessions of a player."""

    format: WebhookFormat
    digest: DigestPace


class _NewRuleset(TypedDict):
    # The texts by file name, at most 64: YAML (`.yaml`), and tables of comma-separated values (`.csv`).
    files: dict[str, str]


class NewRuleset(_NewRuleset, total=False):
    """Rules to check: a whole game, or an overlay that extends a game of this server."""

    # The root file. Defaults to `game.yaml`, the only file, or the only overlay.
    root: str | None
    # The digest of the rules that the overlay applies to: an uploaded ruleset or an earlier version of a
    # game. Defaults to the current game of this server.
    base: str | None


class _NewSeek(TypedDict):
    # The name of a game.
    game: str


class NewSeek(_NewSeek, total=False):
    """The game that somebody wants to play. With `game` alone, this is a quick match: the game as its rules
    recommend it."""

    # A variant of the game. Join several in the order in which they apply, as in `short+windy`.
    variant: str | None
    # Options that differ from their defaults.
    options: dict[str, OptionValue]
    # Number of seats. Defaults to the smallest number that the game allows.
    seats: int | None
    clock: SentClock | None
    # How the game may end besides by its rules.
    endings: SentEndings
    # Whether the result counts for the ratings. Only for players.
    rated: bool
    # Which ratings you want to meet, in games like this. Only for players; the first rating of a player is
    # 1500.
    rating: SentRatingRange
    # Time after which the seek ends. Defaults to ten minutes.
    expires_after_ms: int | None
    # Display name. Defaults to that of the player.
    name: str | None


class NewSession(TypedDict, total=False):
    """A session to create. Name a game or a ruleset."""

    # The name of a game. The session uses its current ruleset.
    game: str | None
    # A variant of the game. Join several in the order in which they apply, as in `short+windy`.
    variant: str | None
    # The digest of a ruleset.
    ruleset: str | None
    # Options that differ from their defaults.
    options: dict[str, OptionValue]
    # The seats, seat 1 first. Defaults to the smallest number of seats that the game allows, all open.
    seats: list[NewSeat] | None
    # What you attach to the session. The server gives it no meaning.
    labels: SentSessionLabels
    visibility: Visibility
    spectators: SentSpectators
    undo: UndoPolicy
    forks: ForkPolicy
    # Whether the people at the table can write to each other.
    messages: MessagePolicy
    clock: SentClock | None
    # How the game may end besides by its rules.
    endings: SentEndings
    # Whether the game counts for the ratings of its players. Each seat is then one of another player who
    # shows its credential; there are no built-in players, and nothing that makes the session practice. Who
    # leaves comes last. A game that is called off does not count.
    rated: bool
    # Time after which the session ends unless its game has begun. By default, it waits for as long as the
    # server keeps it.
    expires_after_ms: int | None
    replies: SentReplies | None
    # A record to continue from, as `GET …/record` returns it. You may drop its last choices and its outcome.
    # The session uses the record's game and options and counts as practice.
    record: None | GameRecord
    # The moves with which the session begins, as `GET …/record` writes them with `Accept: text/plain`: in the
    # notation of the game, `1. e4 e5`, or by option and ids. The session counts as practice. Without `seed`,
    # chance has the seed of zeros.
    moves: str | None
    # The position with which the session begins, as views write it: in chess a FEN. The session counts as
    # practice.
    position: str | None
    # The id of a finished session, to play it again with the same people, each moved on by one seat. Only its
    # players can request a rematch, and no other member is allowed. Their tokens are valid for their new
    # seats. A repeated request returns the same rematch.
    rematch_of: str | None
    # A seed of your own, in hexadecimal digits. The session then counts as practice forever.
    seed: str | None


class NewSessionBatch(TypedDict):
    """Sessions to create."""

    # Up to 500 with an operator key, up to 20 without one. None of them can be a rematch.
    sessions: list[NewSession]


class _NewSimulation(TypedDict):
    # One built-in player for each seat. They change seats from game to game.
    players: list[BotName]
    games: int


class NewSimulation(_NewSimulation, total=False):
    """A simulation to run. Name a game or a ruleset."""

    game: str | None
    # The digest of a ruleset.
    ruleset: str | None
    options: dict[str, OptionValue]
    # Seed in hexadecimal digits. The same seed gives the same games.
    seed: str | None


class NewStep(TypedDict, total=False):
    """A step to take: a state to continue from, or a game to begin. With `steps`, a list of them; the other
    members then hold for each step that does not have its own."""

    # A sealed state from the previous step. Without one, a new game begins.
    state: str | None
    # The name of the game to begin.
    game: str | None
    # The digest of the ruleset to begin a game with.
    ruleset: str | None
    # Number of seats. Defaults to the smallest that the game allows.
    seats: int | None
    options: dict[str, OptionValue]
    # A seed of your own, in hexadecimal digits.
    seed: str | None
    # Where a game begins: whether you decide what chance brings. Such a state has `chance` wherever chance
    # decides.
    explicit_chance: bool | None
    choice: NewMove | None
    # The choice to make, by its number in the action space, for the first seat that owes a decision. In a
    # factored space, the numbers of its parts from the option on; an incomplete choice changes nothing, and
    # `actions` lists what can follow.
    action: list[int] | None
    # Where the state has `chance`: the number of the outcome, from 0.
    chance: int | None
    viewer: StepViewer | None
    # Several perspectives to return, in place of `viewer`.
    viewers: list[StepViewer] | None
    # The parts to return. Defaults to `state`, `view`, `decisions` and `events`.
    include: list[StepPart] | None
    imagine: Imagine | None
    # Steps that do not depend on each other, without lists of their own. Each is answered with its own result
    # or problem.
    steps: list[NewStep] | None


class _NewTournament(TypedDict):
    name: str
    # The name of a game. All rounds have its present rules.
    game: str
    # Time limits of all games. Who runs out of time loses, or moves at random in games in which no single
    # seat can lose.
    clock: SentClock
    format: TournamentFormat


class NewTournament(_NewTournament, total=False):
    """A tournament to create."""

    variant: str | None
    # Options that differ from their defaults.
    options: dict[str, OptionValue]
    # Number of seats of a table. More than two only in a Swiss tournament: tables are then neighbours by
    # points.
    seats: int
    # Whether the games count for ratings.
    rated: bool
    # Number of rounds of a Swiss tournament. A round robin has as many as it needs.
    rounds: int | None
    # Players for whom you act: `me`, or names of yours. Others join by themselves.
    players: list[str]


class NewUndo(TypedDict, total=False):
    """An undo request, or the answer to another seat's request."""

    # The version to go back to. Defaults to the version before the last choice of the seat; an answer that is
    # still secret is withdrawn. The owner must name one.
    to: int | None
    # Accepts or declines another seat's request.
    agree: bool | None


class _NewWebhook(TypedDict):
    # An https address on the public internet, unless the operator allows others. Host names must be ASCII.
    url: str
    # The events to send, each once.
    events: list[WebhookEvent]


class NewWebhook(_NewWebhook, total=False):
    """A webhook to create."""

    # `json` for programs; `discord`, `slack` or `telegram` for a sentence in a channel.
    format: WebhookFormat


class NewWebhookSecret(TypedDict, total=False):
    """How to rotate a secret."""

    # Time for which messages are also signed with the previous secret. 0 if it has leaked. Defaults to one
    # day.
    keep_previous_ms: int | None


class _OpenSeek(TypedDict):
    # The id of the session.
    id: str
    game: str
    # Every option of the game with its value.
    options: dict[str, OptionValue]
    rated: bool
    # The ratings that are sought.
    rating: RatingRange
    # Number of seats.
    seats: int
    # Who sits there already.
    players: list[WaitingPlayer]
    created_at: str


class OpenSeek(_OpenSeek, total=False):
    """A session that seeks players."""

    # The variant of the game, or several.
    variant: str | None
    clock: Clock | None
    # When the session ends unless its game has begun.
    expires_at: str | None


class OpenUndo(TypedDict):
    """An undo request that is not granted yet."""

    # The seat that requests the undo.
    seat: int
    # The version to go back to.
    to: int
    # The seats that have agreed.
    agreed: list[int]


class _Operation(TypedDict):
    op: OperationKind
    # A JSON Pointer into the caller's view.
    path: str


class Operation(_Operation, total=False):
    """One operation of a JSON Patch (RFC 6902)."""

    # The new value. Absent for `remove`.
    value: Any


class OptionInfo(TypedDict):
    """One kind of choice."""

    # Empty if the decision has only one option.
    name: str
    title: str
    args: list[ArgumentDoc]


class OtherEvent(TypedDict):
    """One that this version does not know."""

    type: str


class Outcome(TypedDict):
    """The outcome of a game."""

    # The seats that won. Empty if the game was drawn.
    winners: list[int]
    drawn: bool
    # The ranking, best seat first.
    ranking: list[Rank]
    # Why the game is over: by its rules; a seat resigned; all agreed on a draw; a seat ran out of time; a
    # seat was absent; it was called off before a seat had moved twice; or later.
    reason: Literal["rules", "resigned", "agreed", "time", "claimed", "aborted", "abandoned"] | str


class Owing(TypedDict):
    """A seat that owes a decision."""

    seat: int


class _PauseDeclinedEvent(TypedDict):
    type: Literal["pause-declined"]


class PauseDeclinedEvent(_PauseDeclinedEvent, total=False):
    """A pause was declined or is no longer wanted."""

    # The seat
    seat: int


class PauseWantedEvent(TypedDict):
    """A seat asks for a pause, or agrees to one."""

    type: Literal["pause-wanted"]
    # The seat
    seat: int


class _PausedEvent(TypedDict):
    type: Literal["paused"]


class PausedEvent(_PausedEvent, total=False):
    """The clocks stand still."""

    # The seat
    seat: int


class _Perspective(TypedDict):
    # The seat. Null for what everybody sees.
    viewer: int | None


class Perspective(_Perspective, total=False):
    """The part of a step that one of several viewers sees."""

    view: GameState | None
    # The decisions that this viewer owes. The public owes none.
    decisions: list[Decision] | None
    events: list[GameEvent] | None
    actions: list[int] | None
    mask: str | None


class PhaseBeganEvent(TypedDict):
    """A phase began."""

    type: Literal["phase-began"]
    # The name of the phase
    phase: Any


class PhaseEndedEvent(TypedDict):
    """A phase ended."""

    type: Literal["phase-ended"]
    # The name of the phase
    phase: Any


class _Player(TypedDict):
    id: str


class Player(_Player, total=False):
    """A player."""

    # Display name.
    name: str | None
    webhook: PlayerWebhook | None


class _PlayerForgottenEvent(TypedDict):
    type: Literal["player-forgotten"]


class PlayerForgottenEvent(_PlayerForgottenEvent, total=False):
    """A player is forgotten: nothing that happened at the seat has its name any more. Without a seat, it was the
    host."""

    # The seat
    seat: int


class _PlayerMessage(TypedDict):
    # The id of the session.
    session: str
    game: str
    # The version of the session after the change. With `session`, it identifies the message.
    version: int
    at: str
    # The seat that the player has, has left or may take.
    seat: int
    # The seats that owe a decision after the change.
    owing: list[int]
    # When they run out of time.
    deadlines: list[Deadline]


class PlayerMessage(_PlayerMessage, total=False):
    """A change of one of the sessions of a player."""

    status: Literal["waiting", "running", "finished"] | str | None
    outcome: Outcome | None
    # In `rated`: what the game did to the ratings.
    ratings: list[RatingChange]


class _PlayerSeat(TypedDict):
    # `me`, the id of a player (`p_…`), or a name of yours for a player of your operator key.
    player: str


class PlayerSeat(_PlayerSeat, total=False):
    """A seat of a player. Players for whom you act sit there at once; for others the seat is reserved until they
    take it."""

    # Display name of the player. It counts only for players for whom you act.
    name: str | None


class PlayerSession(TypedDict):
    """A session of a player, as that player sees it."""

    # The seat of the player, the first one of several. Null if a seat is only reserved.
    seat: int | None
    # Whether the player owes a decision.
    owes: bool
    session: Session


class PlayerSessionPage(TypedDict):
    """A page of the sessions of a player."""

    items: list[PlayerSession]
    # Cursor of the next page.
    next: str | None


class PlayerSettings(TypedDict, total=False):
    """What others see of a player."""

    # Display name, as for a seat. Seats that the player takes later have it unless they state another one.
    name: str | None


class PlayerSnapshot(TypedDict):
    """The first message: where the player is wanted most."""

    sessions: list[PlayerSession]


class _PlayerWebhook(TypedDict):
    url: str
    # `decision.owed` means the seats of the player alone.
    events: list[Literal["session.started", "session.changed", "decision.owed", "session.finished"] | str]
    # How the messages of a webhook look.
    format: Literal["json", "discord", "slack", "telegram"] | str


class PlayerWebhook(_PlayerWebhook, total=False):
    """The webhook of a player, or of the holder of an operator key, in all of its sessions."""

    digest: Literal["never", "daily"] | str | None
    # Of the holder of an operator key: only sessions with one of these tags count, or, if there are none,
    # all.
    tags: list[str] | None


class PossibleUndo(TypedDict):
    """An undo that can be requested now."""

    # The version to go back to.
    to: int
    # Who must agree to an undo.
    needs: Literal["nobody", "agreement"] | str


class _Problem(TypedDict):
    # Link to the explanation of this kind of problem on this server.
    type: str
    # A short title, the same for every occurrence of a code.
    title: str
    # The HTTP status code.
    status: int
    # A stable code for programs. `/problems/{code}` explains it.
    code: Literal["malformed", "unauthenticated", "forbidden", "player-required", "webhook-refused", "text-refused", "not-found", "method-not-allowed", "not-acceptable", "timeout", "seat-taken", "session-full", "session-over", "session-running", "not-your-turn", "not-undoable", "not-now", "illegal-choice", "idempotency-in-flight", "history-rewritten", "stale-version", "too-large", "unsupported-media-type", "idempotency-mismatch", "unprocessable", "invalid-ruleset", "rules-budget-exceeded", "precondition-required", "rate-limited", "headers-too-large", "internal", "store-unavailable", "draining", "overloaded", "outcome-unknown"] | str
    # Identifies this request in the log of the server. Also in the header `X-Request-Id`.
    request_id: str


class Problem(_Problem, total=False):
    """A problem, in the form of RFC 9457."""

    # The problem with this request.
    detail: str | None
    # The parts of the request that are wrong.
    errors: list[FieldError]
    # The current version of the session.
    version: int | None
    reason: Reason | None
    # The limit that was exceeded.
    limit: str | None
    # With `not-found`: what exists instead, as far as the caller may know.
    available: list[str]
    # The first 100 errors in the rules.
    diagnostics: list[Finding]
    # Seconds to wait before a retry. Also in the header `Retry-After`.
    retry_after: int | None


class ProblemKind(TypedDict):
    """The explanation of a kind of problem."""

    code: str
    status: int
    title: str
    # Advice for the client.
    advice: str


class _PublicPlayer(TypedDict):
    id: str
    ratings: list[ClassRating]


class PublicPlayer(_PublicPlayer, total=False):
    """A player as everybody sees it."""

    # Display name.
    name: str | None


class PushKey(TypedDict):
    """The key of this service."""

    # The public key in base64url, for `applicationServerKey`.
    public_key: str


class Rank(TypedDict):
    seat: int
    # Place in the ranking, from 1. Tied seats share a place.
    place: int
    # The compared values, in order of importance.
    keys: list[int]


class RatedEvent(TypedDict):
    """The result counts: the session shows what it did to the ratings."""

    type: Literal["rated"]


class RatedSession(TypedDict, total=False):
    """What the result of a session counts for."""

    # Whether the game counts for the ratings of its players.
    rated: bool
    # What the game did to the ratings, once it is counted: about a second after its end. Not of players who
    # are forgotten.
    ratings: list[RatingChange]
    # The tournament of which this is a game.
    tournament: str | None


class RatingChange(TypedDict):
    """What a game did to the rating of a seat."""

    seat: int
    before: RatingState
    after: RatingState


class RatingRange(TypedDict, total=False):
    """A range of ratings; both ends belong to it. Without any limit, players without a rating fit, too."""

    least: int | None
    most: int | None


class _RatingState(TypedDict):
    rating: int
    # The rating is right to within twice this, with a probability of 95 %. It grows while the player does not
    # play.
    deviation: int
    # Number of rated games.
    games: int


class RatingState(_RatingState, total=False):
    """A rating by [Glicko-2](http://www.glicko.net/glicko/glicko2.pdf). The first one is 1500 with a deviation
    of 350."""

    # Whether the deviation is larger than 110.
    provisional: bool


class _ReadMessage(TypedDict):
    id: str
    at: str
    # Who can read a message.
    to: Literal["table", "team"] | str
    # Null if it was deleted. It is text, never markup.
    text: str | None


class ReadMessage(_ReadMessage, total=False):
    """A message as this reader may see it."""

    # Who wrote it. Absent if it was the owner of the session.
    seat: int | None
    # The name of its writer at that time.
    name: str | None


class Readiness(TypedDict):
    """The readiness of the server and the state of its rules."""

    status: str
    # Number of available games.
    games: int
    # Games and variants whose newest rules have errors. If an older version was valid, the server offers that
    # one.
    broken: list[str]


class _Reason(TypedDict):
    message: str
    # The clauses of the rules that forbid it.
    clauses: list[ClauseText]


class Reason(_Reason, total=False):
    """The rule that forbids a choice or a setup."""

    # The file of the ruleset with the condition that failed.
    file: str | None
    line: int | None
    column: int | None


class RecordedChance(TypedDict):
    """One random operation."""

    # Number of choices in the log before it.
    after: int
    # Number of random operations before it.
    number: int
    # One of `shuffle`, `roll`, `draw` and `choice`, with its result; see `docs/record-format.md`.
    result: dict[str, Any]


class _RecordedChoice(TypedDict):
    seat: int
    # Index (from 0) among the decisions that were owed at that moment.
    decision: int
    # The chosen values, with the names that the deciding seat sees.
    args: dict[str, Any]


class RecordedChoice(_RecordedChoice, total=False):
    """One choice."""

    option: str | None
    # Present and true if the seat resigned instead of choosing, in a game whose rules say what follows.
    resigns: bool
    # Why it left the game, if the seat resigned, ran out of time or was absent.
    reason: str | None


class RecordedFairness(TypedDict):
    """The values from which the seed is derived."""

    # BLAKE3 hash of the secret. The session showed it from the beginning.
    commitment: str
    # The server's secret. It is the seed itself if no seat contributed entropy.
    secret: str
    # The entropy of the seats, in order of the seats.
    entropy: list[SeatEntropy]


class RenewedToken(TypedDict):
    """A renewed token."""

    # A token of the session itself. Seat tokens are renewed at their seats.
    kind: Literal["owner", "invite", "spectator"] | str
    # The version of the session after the change.
    version: int
    # The new token. Shown once.
    token: str


class Replies(TypedDict, total=False):
    """Range of the delay before a standing order answers. Each delay is drawn at random, so that others cannot
    tell a standing order from a player."""

    least_ms: int
    most_ms: int


class ResignedEvent(TypedDict):
    """A seat gave the game up."""

    type: Literal["resigned"]
    # The seat
    seat: int


class ResumedEvent(TypedDict):
    """The game goes on from a record or a fork."""

    type: Literal["resumed"]


class ReturnsDoc(TypedDict):
    """The returns of the seats at the end of a game."""

    # `result`: the winners share 1, the others share -1, and a drawn game is 0 for all. `points`: the number
    # by which the seats are ranked; it counts in games whose whole tree is small and in which the points of
    # all seats always add up to zero.
    measure: Literal["result", "points"] | str
    # Null if unknown.
    low: float | None
    high: float | None
    zero_sum: bool


class RolledBackEvent(TypedDict):
    """The owner went back to a version."""

    type: Literal["rolled-back"]
    # The version that this leads back to
    to: int


class RolledDie(TypedDict):
    """A die that was rolled."""

    # The die or its position
    die: str | None
    # The face that lies up: a number or a name; null for those who may not know it
    face: Any


class RolledEvent(TypedDict):
    """Dice were rolled."""

    type: Literal["rolled"]
    # The dice and their faces
    dice: list[RolledDie]


class Root(TypedDict):
    """The entry point of the API."""

    name: str
    version: str
    # The failures that an acknowledged write survives: `memory`, `local`, `fsync` or `replicated`.
    durability: str
    limits: Limits
    links: Links


class RoundBeganEvent(TypedDict):
    """A round began."""

    type: Literal["round-began"]
    # The round, from 1
    round: int


class RoundEndedEvent(TypedDict):
    """A round ended."""

    type: Literal["round-ended"]
    # The round, from 1
    round: int


class RulesetDoc(TypedDict):
    """The rules of a game with its default options and the smallest number of seats."""

    digest: str
    game: str
    # The number of seats that is described.
    seats: int
    # Kinds of components, such as cards, tiles, dice and pieces.
    kinds: list[KindDoc]
    zones: list[ZoneFamilyDoc]
    # Types whose values have names.
    types: list[TypeDoc]
    vars: list[VarDoc]
    # The places where a seat decides.
    decisions: list[DecisionInfo]
    # The places where the game ends.
    endings: list[EndingInfo]
    schemas: SchemaDocs
    # The clauses of the rules.
    clauses: list[ClauseText]
    # The source files.
    sources: list[SourceDoc]


class SaidEvent(TypedDict):
    """The game said something."""

    type: Literal["said"]
    # Text for people
    text: str


class SchemaDocs(TypedDict):
    """JSON Schemas (2020-12) of the documents of this game, with the names of its rules. They are valid for any
    number of seats and any options."""

    # Schema of `state` in a view.
    view: dict[str, Any]
    # Schema of a choice.
    choice: dict[str, Any]
    # Schema of an event.
    event: dict[str, Any]


class ScoredEvent(TypedDict):
    """A score changed."""

    type: Literal["scored"]
    # The seat, or nobody
    seat: int | None
    # The difference
    by: int
    # The score after it
    total: int


class SeatEntropy(TypedDict):
    """The entropy of one seat. It is combined with the server's secret; see `docs/record-format.md`."""

    seat: int
    value: str


class SeatLeftEvent(TypedDict):
    """Somebody left a seat, or nobody is waited for there any more."""

    type: Literal["seat-left"]
    # The seat
    seat: int


class SeatRenewedEvent(TypedDict):
    """The token of a seat was replaced."""

    type: Literal["seat-renewed"]
    # The seat
    seat: int


class SeatReservedEvent(TypedDict):
    """A seat waits for one player."""

    type: Literal["seat-reserved"]
    # The seat
    seat: int


class _SeatState(TypedDict):
    seat: int
    # A word.
    status: Literal["open", "taken", "bot"] | str


class SeatState(_SeatState, total=False):
    """A seat and its player."""

    # Display name of the player.
    name: str | None
    # Present and true if another player of the session has a name that looks the same. Show the number of the
    # seat with it.
    same_name: bool
    bot: Literal["random", "greedy", "search-1", "search-2", "search-3", "default"] | str | None
    # The player in this seat, if it is known across sessions.
    player: str | None
    # The player who alone can take this seat.
    reserved_for: str | None


class _SeatTakenEvent(TypedDict):
    type: Literal["seat-taken"]
    # The seat
    seat: int


class SeatTakenEvent(_SeatTakenEvent, total=False):
    """Somebody took a seat."""

    # The name of the player
    name: str
    # A built-in player.
    bot: Literal["random", "greedy", "search-1", "search-2", "search-3", "default"] | str


class SeekPage(TypedDict):
    """A page of open seeks."""

    items: list[OpenSeek]
    # Cursor of the next page.
    next: str | None


class SentClock(TypedDict, total=False):
    """Time limits."""

    # Time for one decision.
    decision_ms: int | None
    # Total time of a seat for all of its decisions.
    game_ms: int | None
    # Time added to `game_ms` after each decision.
    increment_ms: int
    # Time for each decision that costs nothing of `game_ms`.
    delay_ms: int
    delay: DelayKind
    # Byo-yomi: periods after `game_ms`. A decision that takes less than one costs none.
    periods: int
    # How long a period is.
    period_ms: int
    at_end: TimeEnd | None


class SentEndings(TypedDict, total=False):
    """How a game may end besides by its rules."""

    # What follows when a seat resigns: `never` forbids it; `loses` takes the seat out of the game as the
    # rules say, or gives the win to the other one of two sides; otherwise, this built-in player plays on
    # (`default` takes the defaults of the rules). Defaults to `loses` where that is possible (`resigns` of
    # the game, or two sides), otherwise to `greedy`.
    resignations: str | None
    # Whether all seats together can agree on a draw. Only if the rules allow it (`draws` of the game), which
    # is the default.
    draws: bool | None
    # Whether a seat can call the game off while no seat has moved twice.
    aborts: bool
    # After this time without any change, a seat that owes nothing can claim the win with two seats; with
    # more, the seats that owe a decision are left to others. Null: never. With a clock, who is absent runs
    # out of time; a claim is then only a vote.
    claims_after_ms: int | None


class SentRatingRange(TypedDict, total=False):
    """A range of ratings; both ends belong to it. Without any limit, players without a rating fit, too."""

    least: int | None
    most: int | None


class SentReplies(TypedDict, total=False):
    """Range of the delay before a standing order answers. Each delay is drawn at random, so that others cannot
    tell a standing order from a player."""

    least_ms: int
    most_ms: int


class SentSessionLabels(TypedDict, total=False):
    """Labels of a session. Everyone who sees the session sees them."""

    # Any JSON object of up to 2 KiB.
    metadata: dict[str, Any]
    # Words by which `GET /v1/sessions?tag=` finds the session: for the operator key that created it, or, if
    # it was created without one and is public, for everybody.
    tags: list[str]
    # Your own name for the session. A second request of the same operator key, or without one of the same
    # player, with the same name creates nothing and gets the first session.
    external_id: str | None


class SentSpectators(TypedDict, total=False):
    """The view of spectators: `nothing` before the game is over, the public view (`live`), or the public view
    with a delay in changes or in time (`delayed`)."""

    policy: SpectatorPolicy
    # With `delayed`: spectators receive a change after this many further changes.
    delay_versions: int | None
    # With `delayed`: spectators receive a change after this time.
    delay_ms: int | None


class SessionBatch(TypedDict):
    # In the order of the request, without those that do not exist for the caller.
    items: list[Session]


class SessionCourse(TypedDict, total=False):
    """Until when a session waits for players, and which sessions follow it."""

    # When the session ends unless its game has begun by then.
    expires_at: str | None
    # The session in which the player of this one sits now, with the same token: two that sought the same game
    # became one.
    matched_in: str | None
    # The id of the rematch, once a player has requested it.
    rematch: str | None


class SessionCreatedEvent(TypedDict):
    """The session was created."""

    type: Literal["session-created"]


class SessionLabels(TypedDict, total=False):
    """Labels of a session. Everyone who sees the session sees them."""

    # Any JSON object of up to 2 KiB.
    metadata: dict[str, Any]
    # Words by which `GET /v1/sessions?tag=` finds the session: for the operator key that created it, or, if
    # it was created without one and is public, for everybody.
    tags: list[str]
    # Your own name for the session. A second request of the same operator key, or without one of the same
    # player, with the same name creates nothing and gets the first session.
    external_id: str | None


class SessionPage(TypedDict):
    """A page of sessions."""

    items: list[SessionSummary]
    # Cursor of the next page.
    next: str | None


class SessionSeed(TypedDict):
    """Whether anybody may have known the random numbers, and what proves that nobody has changed them."""

    # True if someone may have known the random numbers: the creator chose the seed, or the session was forked
    # before its end. Never becomes false again.
    practice: bool
    # BLAKE3 hash of the secret, in hexadecimal digits. The record of the finished game reveals the secret and
    # the seed.
    commitment: str
    # Entropy that seats contributed before the game began.
    entropy: list[SeatEntropy]


class _SessionSummary(TypedDict):
    id: str
    game: str
    ruleset: str
    # The stage of a session.
    status: Literal["waiting", "running", "finished"] | str
    # Number of seats.
    seats: int
    # The seats that anyone can take.
    open_seats: list[int]
    practice: bool
    created_at: str


class SessionSummary(_SessionSummary, total=False):
    """A session as listed in the lobby."""

    # The variant of the game, or several.
    variant: str | None


class _SessionTimes(TypedDict):
    # Deadlines of owed decisions, if the session has a clock.
    deadlines: list[Deadline]


class SessionTimes(_SessionTimes, total=False):
    """The times of the seats, as far as a viewer may know them."""

    # The time that each seat has left for the whole game, if that is limited.
    times: list[TimeLeft]


class _SetEvent(TypedDict):
    type: Literal["set"]
    # The variable or the field
    name: str
    # The value
    value: Any


class SetEvent(_SetEvent, total=False):
    """A variable or a field got a value."""

    # The key of the variable, if it has keys
    of: Any
    # The component of the field
    component: str | None


class ShownEvent(TypedDict):
    """Components were shown to some seats."""

    type: Literal["shown"]
    # The components or their positions
    components: list[str | None]
    # The seats that saw them
    to: list[int]


class _ShuffledEvent(TypedDict):
    type: Literal["shuffled"]
    # The zone
    zone: str
    # How many components it holds
    count: int | None


class ShuffledEvent(_ShuffledEvent, total=False):
    """A zone was shuffled."""

    # The new order, in records
    order: list[str | None]


class Simulation(TypedDict):
    """A simulation and its progress."""

    id: str
    game: str
    ruleset: str
    options: dict[str, OptionValue]
    players: list[Literal["random", "greedy", "search-1", "search-2", "search-3", "default"] | str]
    games: int
    seed: str
    # A word.
    status: Literal["running", "finished", "failed"] | str
    # Number of finished games.
    played: int
    created_at: str
    # The result of a finished simulation: wins by seat and by player with 95 % Wilson intervals, draws, and
    # the length of the games. The same as `wyrmgate simulate --json` prints.
    summary: OpenObject | None


class SimulationPage(TypedDict):
    """A page of simulations."""

    items: list[Simulation]
    # Cursor of the next page.
    next: str | None


class SourceDoc(TypedDict):
    """A file of rules."""

    path: str
    text: str


class Spectators(TypedDict, total=False):
    """The view of spectators: `nothing` before the game is over, the public view (`live`), or the public view
    with a delay in changes or in time (`delayed`)."""

    # A word.
    policy: Literal["nothing", "live", "delayed"] | str
    # With `delayed`: spectators receive a change after this many further changes.
    delay_versions: int | None
    # With `delayed`: spectators receive a change after this time.
    delay_ms: int | None


class StandingAnswer(TypedDict, total=False):
    """The answer: `only`, or the first listed choice with this option and these arguments."""

    # Take the only choice, if there is exactly one, as in forced passes.
    only: bool
    # `decline`, `no`, `yes`, or an option of the decision.
    option: str | None
    # The chosen values, by name. Give only those that matter.
    args: OpenObject | None


StandingCondition = TypedDict(
    "StandingCondition", {
    "at": "str",
    "is": "Relation",
    "value": "int | str | bool",
}, total=False)


StandingOrder = TypedDict(
    "StandingOrder", {
    "decision": "str | None",
    "event": "OpenObject | None",
    "if": "list[StandingCondition]",
    "answer": "StandingAnswer",
    "once": "bool",
}, total=False)


class StandingOrders(TypedDict):
    """The standing orders of a seat. The first one that applies is used."""

    orders: list[StandingOrder]


class Step(TypedDict, total=False):
    """The game after a step; or, for a list of steps, the answers to each of them; or, in such a list, the
    problem of a step."""

    # The sealed state. Only servers that share this store can read or change it.
    state: str | None
    ruleset: str | None
    # Number of decisions made. It ties choice ids to this state.
    version: int | None
    status: Literal["waiting", "running", "finished"] | str | None
    # The seats that owe a decision.
    owing: list[int] | None
    # The seat whose perspective this is. Null for what everybody sees.
    viewer: int | None
    view: GameState | None
    # The owed decisions. With a viewer, only the viewer's own; the public has none. Without one, those of all
    # seats.
    decisions: list[Decision] | None
    # The events of this step, as far as the viewer may know them.
    events: list[GameEvent] | None
    # With `include: ["actions"]`: the numbers of the actions that are legal next for the viewer, or, without
    # a viewer, for the first seat that owes a decision. `/v1/rulesets/{digest}/actions` explains the numbers.
    actions: list[int] | None
    # With `include: ["mask"]`: the same as bits in Base64. Bit `n % 8` of byte `n / 8` is set if action `n`
    # is legal.
    mask: str | None
    # With several viewers: what each of them sees.
    perspectives: list[Perspective] | None
    # In a factored action space: the parts of a choice that has been begun. Send them again with the next
    # part.
    begun: list[int] | None
    chance: ChanceNode | None
    # With `include: ["returns"]`: what the game is worth to each seat, from seat 1. 0 before the end.
    returns: list[float] | None
    # With `imagine`: sealed sampled states. They are found by rejection sampling that never reads hidden
    # information, so there may be fewer than requested.
    worlds: list[str] | None
    # The budget that ran out before enough states were found. Absent if states are merely hard to find. If
    # the budget runs out before the first state, the response is `rules-budget-exceeded`.
    worlds_limit: str | None
    outcome: Outcome | None
    # For a list of steps: the answer to each of them, in order.
    steps: list[Step] | None
    problem: Problem | None


class StreamBye(TypedDict):
    """`bye`: the server is stopping."""

    # When to connect again
    retry_ms: int


class StreamEnd(TypedDict):
    """`end`: the game is over, or the session is gone."""

    # If it is known
    version: int | None
    outcome: Outcome | None


class StreamResync(TypedDict):
    """`resync`: connect again, without a cursor."""

    # If it is known
    version: int | None


class _StreamTicket(TypedDict):
    # When the ticket expires.
    expires_at: str


class StreamTicket(_StreamTicket, total=False):
    """A ticket that opens one stream."""

    # Value for `GET …/events?ticket=`. It opens one stream, once, with the access of the caller, and does
    # nothing else. Absent from a replayed response to a caller without a credential of its own.
    ticket: str | None


class _TableRequests(TypedDict):
    # The seats that want a draw, the one that offered it first.
    draw_offer: list[int]
    # Whether the clocks stand still and nobody can move.
    paused: bool
    # The seats that want a pause, the one that asked first.
    pause_wanted_by: list[int]
    # Whether the people at the table can write to each other.
    messages: Literal["table", "off"] | str


class TableRequests(_TableRequests, total=False):
    """What the seats want of each other, and whether they have a pause."""

    # The seats that want those replaced who owe a decision, by `POST …/claims`.
    absence_votes: list[int]


class _TimeLeft(TypedDict):
    seat: int
    # What is left of it, without what a running decision takes.
    left_ms: int


class TimeLeft(_TimeLeft, total=False):
    """The time of a seat for the whole game."""

    # The periods of byo-yomi that are left after it.
    periods_left: int | None


class TimedOutEvent(TypedDict):
    """A seat ran out of time."""

    type: Literal["timed-out"]
    # The seat
    seat: int


class TokenRenewedEvent(TypedDict):
    """A token of the session was replaced."""

    type: Literal["token-renewed"]
    # The kind of the token
    kind: str


class _TournamentGame(TypedDict):
    game: str
    options: dict[str, OptionValue]
    # Number of seats of a table.
    seats: int
    rated: bool


class TournamentGame(_TournamentGame, total=False):
    """What is played at the tables of a tournament."""

    variant: str | None
    clock: Clock | None


class TournamentPage(TypedDict):
    """A page of tournaments."""

    items: list[TournamentSummary]
    # Cursor of the next page.
    next: str | None


class _TournamentPairing(TypedDict):
    # Seat 1 first.
    seats: list[TournamentSeat]


class TournamentPairing(_TournamentPairing, total=False):
    """A table of a round."""

    # The session, which begins within seconds. None for somebody without an opponent.
    session: str | None


class TournamentPlayer(TypedDict, total=False):
    """Somebody who takes part. Nothing is left of a player who is forgotten."""

    player: str | None
    # Display name.
    name: str | None


class _TournamentSummary(TypedDict):
    id: str
    name: str
    game: str
    # Who plays whom: everybody everybody else once (`round-robin`), or each round those with about the same
    # points who have not met yet (`swiss`).
    format: Literal["round-robin", "swiss"] | str
    # The stage of a session.
    status: Literal["waiting", "running", "finished"] | str
    # Number of players.
    players: int
    created_at: str


class TournamentSummary(_TournamentSummary, total=False):
    """A tournament as it is listed."""

    variant: str | None


class TurnBeganEvent(TypedDict):
    """A turn began."""

    type: Literal["turn-began"]
    # The seat, or nobody
    seat: int | None
    # The turn, from 1
    turn: int


class TurnEndedEvent(TypedDict):
    """A turn ended."""

    type: Literal["turn-ended"]
    # The seat, or nobody
    seat: int | None
    # The turn, from 1
    turn: int


class TurnedEvent(TypedDict):
    """A component was turned over."""

    type: Literal["turned"]
    # The component or its position
    component: str | None
    # Where it is
    zone: str | None
    # Its position there
    place: int | None
    # The side that lies up
    face: str


class TypeDoc(TypedDict):
    """A type whose values have names."""

    name: str
    values: list[str]
    # The titles of the values.
    titles: list[str]


class UndoList(TypedDict):
    """The undos that can be requested now."""

    # The current version of the session.
    version: int
    open: OpenUndo | None
    # The versions before own choices, the nearest first. For the owner of a practice session, those before
    # the last choices.
    possible: list[PossibleUndo]


class UndoRefusedEvent(TypedDict):
    """A seat refused an undo."""

    type: Literal["undo-refused"]
    # The seat
    seat: int


class UndoState(TypedDict):
    """The state of the undo request."""

    # The current version of the session.
    version: int
    open: OpenUndo | None


class UndoWishedEvent(TypedDict):
    """A seat asks the others to take moves back."""

    type: Literal["undo-wished"]
    # The seat
    seat: int
    # The version that this leads back to
    to: int


class UndoneEvent(TypedDict):
    """Moves were taken back."""

    type: Literal["undone"]
    # The seat
    seat: int
    # The version that this leads back to
    to: int


class _UnpausedEvent(TypedDict):
    type: Literal["unpaused"]


class UnpausedEvent(_UnpausedEvent, total=False):
    """The clocks run again soon."""

    # The seat
    seat: int


class _VarDoc(TypedDict):
    # As in events. A record has an entry for each part, `bid.amount`; views show it as one object, `bid`.
    name: str
    title: str
    # The type of its values: `number`, `bool`, `seat`, a type of the rules, …
    type: str


class VarDoc(_VarDoc, total=False):
    """A variable of the game."""

    # What it has a value for, if it has several: `seat`, a kind, a zone, a type of the rules, …
    each: str | None


class Variant(TypedDict):
    """A game with changed rules."""

    # The name that sessions use.
    name: str
    title: str
    about: str
    # The overlays, in the order in which they apply. The last one is the variant itself.
    overlays: list[str]
    players: list[int]
    options: list[GameOption]
    endings: GameEndings
    # Digest of its current ruleset.
    ruleset: str
    ruleset_link: str
    actions_link: str


class _Verdict(TypedDict):
    legal: bool
    # The version that the verdict applies to.
    version: int


class Verdict(_Verdict, total=False):
    """Whether a choice would be accepted now."""

    # The code of the problem that the move would receive.
    code: str | None
    detail: str | None
    reason: Reason | None


class WaitingPlayer(TypedDict, total=False):
    """Somebody who waits for others."""

    # Display name.
    name: str | None
    # The player, if it is known across sessions.
    player: str | None


class WaitingSession(TypedDict):
    # The id of the session.
    session: str
    game: str
    # Link to the session, as in other messages.
    url: str | None


class WaitingSessions(TypedDict):
    # Where the player owes a decision, the earliest deadline first.
    sessions: list[WaitingSession]


class _Webhook(TypedDict):
    id: str
    url: str
    events: list[Literal["session.started", "session.changed", "decision.owed", "session.finished"] | str]
    # How the messages of a webhook look.
    format: Literal["json", "discord", "slack", "telegram"] | str
    # A word.
    status: Literal["active", "disabled"] | str
    # Number of changes waiting to be delivered.
    waiting: int
    # Number of changes that were dropped because too many waited while deliveries failed. They are still in
    # the session's events.
    missed: int
    # Number of consecutive failed attempts.
    failures: int
    # Number of secrets that this webhook has had.
    secret_number: int
    created_at: str
    # The latest attempts, oldest first.
    deliveries: list[WebhookDelivery]


class Webhook(_Webhook, total=False):
    """A webhook as the owner of its session sees it."""

    reason: Literal["gone", "failing"] | str | None
    disabled_at: str | None
    # Time of the next attempt.
    next_attempt_at: str | None
    # Until then, messages are also signed with the previous secret.
    previous_secret_until: str | None


class _WebhookData(TypedDict):
    # The id of the session.
    session: str
    game: str
    # The version that the message is about.
    version: int
    # The stage of a session.
    status: Literal["waiting", "running", "finished"] | str
    # Link to the session. Relative, unless the operator has configured the public address of the server.
    url: str


class WebhookData(_WebhookData, total=False):
    """Content of a message. It contains only information that is public to everyone who knows the session."""

    variant: str | None
    # The name of its creator for the session.
    external_id: str | None
    # For `decision.owed`: the seats that owe a new decision since this version.
    seats: list[int] | None
    # The seats that owe a decision since this version. Absent in a ping.
    owing: list[int] | None
    # When these seats run out of time, if the session has a clock. Absent in a ping.
    deadlines: list[Deadline] | None


class _WebhookDelivery(TypedDict):
    # The `webhook-id` of the message, the same in every attempt.
    message: str
    # The event: one of the webhook's events, or `webhook.ping`.
    event: str
    at: str
    took_ms: int
    attempt: int
    # `delivered` (2xx), `redirected` (3xx, not followed), `gone` (410), `rejected` (another status),
    # `unreachable` (the host has no permitted address or refuses the connection), `untrusted` (invalid
    # certificate), `timed-out`, or `broken` (the response is not HTTP).
    outcome: str


class WebhookDelivery(_WebhookDelivery, total=False):
    """A delivery attempt."""

    # The version of the session that the message is about.
    version: int | None
    # The status code of the response.
    status: int | None


class WebhookMessage(TypedDict):
    """A message of a webhook."""

    # One of the webhook's events, or `webhook.ping`.
    type: str
    # The time of the event.
    timestamp: str
    data: WebhookData


class WebhookPage(TypedDict):
    """A page of webhooks."""

    items: list[Webhook]
    # Cursor of the next page.
    next: str | None


class WithdrawnEvent(TypedDict):
    """Nobody waits here any more; the session is over."""

    type: Literal["withdrawn"]


class _Zone(TypedDict):
    # The name that similar zones share.
    family: str
    # Title for people.
    title: str
    # The keys that distinguish it within its family.
    keys: dict[str, Any]
    # Number of components in it. Null if the number is hidden.
    count: int | None
    # The components that the viewer may know something about, first to last.
    components: list[Component]


class Zone(_Zone, total=False):
    """A place that holds components."""

    # The constant fields of this zone.
    fields: OpenObject | None


class _ZoneFamilyDoc(TypedDict):
    name: str
    title: str
    # Who sees the contents: `all`, `owner`, `count`, `nothing`, `top`, or `condition`.
    see: str
    # The ids of the zones.
    zones: list[str]


class ZoneFamilyDoc(_ZoneFamilyDoc, total=False):
    """Zones that differ only by their keys."""

    # `track`, `grid`, or `table` for tiles on an open grid. Absent if the zones are not a board.
    board: str | None


class _ArgumentDoc(ArgumentList):
    name: str
    # `number`, `bool`, `seat`, `component`, `zone`, `place`, `side`, or the name of a type.
    type: str
    # Always false: it is for fields of components.
    on_back: bool
    # Whether `none` is a value too. It comes after the others.
    or_none: bool
    # How many values there are: components and zones in the order of the ruleset, values of a type, numbers
    # from `low`, false and true, seats, places from the lowest column and in it from the lowest row.
    # Components that the seat cannot identify come last, by their zone and their rank among the hidden ones
    # there.
    values: int


class ArgumentDoc(_ArgumentDoc, total=False):
    """A name of an option, and the values that it can have."""

    # The kind of the component. Absent if any kind is possible.
    kind: str | None
    # The family of the zone. Absent if any is possible.
    family: str | None
    # Minimum of a number, or of the coordinates of a place on an open grid.
    low: int | None
    # Maximum of the same.
    high: int | None
    # Whether the rules state no bounds; `low` and `high` are then those that have numbers.
    assumed: bool
    # In a factored space, the action of the first value.
    first_part: int | None


class _ClaimedSeat(SeatState):
    # The version of the session after the change.
    version: int


class ClaimedSeat(_ClaimedSeat, total=False):
    """A seat that the caller has taken."""

    # Token for this seat. Send it as `Authorization: Bearer`. Shown once: a repeated request with the same
    # `Idempotency-Key` receives it again only with the same credential, which must belong to the caller
    # alone, or with the `secret` that the caller has chosen. Bots have none.
    token: str | None


class _ClassRating(RatingState):
    game: str
    # How much time a seat has for a game, estimated as its total time and 40 times what is added for each
    # decision, or 40 times the time for one: `bullet` is less than 3 minutes, `blitz` less than 8, `rapid`
    # less than 25, `classical` at most 6 hours, `days` more; `untimed` has no clock.
    clock: Literal["bullet", "blitz", "rapid", "classical", "days", "untimed"] | str


class ClassRating(_ClassRating, total=False):
    """The rating of a player in one class of games."""

    variant: str | None


class _RankedPlayer(RatingState):
    player: str


class RankedPlayer(_RankedPlayer, total=False):
    """A player in a list of the best."""

    # Display name.
    name: str | None


class EndState(TableRequests):
    """How the game stands after a request to end or to pause it."""

    # The current version of the session.
    version: int
    # The stage of a session.
    status: Literal["waiting", "running", "finished"] | str
    outcome: Outcome | None


class Finding(FindingPlace):
    """A diagnostic about rules."""

    # Stable code, in lower case.
    code: str
    # Whether the finding makes the rules unplayable or is only suspicious.
    severity: Literal["error", "warning"] | str
    message: str
    # The label of the marked place.
    label: str
    # Advice on how to fix it.
    help: str | None
    # The source lines around the place.
    excerpt: str
    # Related places, such as the text that an overlay replaces or the first declaration of a name.
    related: list[Related]


class Related(FindingPlace):
    """A related place that explains a finding."""

    message: str


class NewGuest(Player, total=False):
    """A new guest."""

    # The credential of the player, on any device. Shown once: not in the response to a repeated request.
    token: str


class SecretPlayerWebhook(PlayerWebhook):
    """Such a webhook, with its secret."""

    # The secret that signs messages, in the format of Standard Webhooks. Shown once.
    secret: str


class SecretWebhook(Webhook):
    """A webhook with its secret."""

    # The secret that signs messages, in the format of Standard Webhooks. Shown once.
    secret: str


class _View(SessionTimes):
    # The id of the session.
    session: str
    version: int
    # The stage of a session.
    status: Literal["waiting", "running", "finished"] | str
    # The caller's seat, if it has one.
    seat: int | None
    # The seats that owe a decision.
    owing: list[int]
    state: GameState | None
    outcome: Outcome | None


class View(_View, total=False):
    """A session as this caller may see it."""

    # With `include=actions`: the decisions that the caller owes.
    decisions: list[Decision] | None
    # With `include=actions`: the events of what the caller has answered in secret so far. `POST …/undos`
    # withdraws the last of these answers, until all seats have given theirs.
    given: list[dict[str, Any]]
    # The position as text, with which a session can begin, if the rules say how and hide nothing: in chess a
    # FEN.
    position: str | None


class _Session(RatedSession, SessionSeed, TableRequests, SessionTimes, SessionCourse):
    # Opaque id. It grants no access by itself.
    id: str
    # The name of its game.
    game: str
    # The digest of its ruleset.
    ruleset: str
    # Every option of the game with its value.
    options: dict[str, OptionValue]
    # Who can find a session.
    visibility: Literal["public", "private"] | str
    spectators: Spectators
    # Whether a seat can undo its choices, and replies of bots to them. Unless stated, an undo is possible
    # only if nobody has gained information since.
    undo: Literal["never", "free", "agreed", "anything_agreed"] | str
    # When a session can be forked. A player in a fork can see information that was hidden from others.
    forks: Literal["never", "finished", "always"] | str
    replies: Replies
    endings: Endings
    # The stage of a session.
    status: Literal["waiting", "running", "finished"] | str
    # Grows by one with every public change. For spectators with a delay: the last version that they may see.
    version: int
    seats: list[SeatState]
    # The seats that owe a decision.
    owing: list[int]
    outcome: Outcome | None
    created_at: str


class Session(_Session, total=False):
    """A session with its public information."""

    # The player who opened the session, and manages it with `Act-As: me;host`.
    host: str | None
    # The variant of the game, or several, as in `short+windy`.
    variant: str | None
    clock: Clock | None
    # What its creator attached to it.
    labels: SessionLabels


class _Tournament(TournamentGame):
    id: str
    name: str
    # `waiting` while players can join.
    status: Literal["waiting", "running", "finished"] | str
    # Who plays whom: everybody everybody else once (`round-robin`), or each round those with about the same
    # points who have not met yet (`swiss`).
    format: Literal["round-robin", "swiss"] | str
    # Number of rounds in all; in a round robin that waits, with the players so far.
    rounds: int
    # The best first. Equal points are ordered by `tie_break` and then by `direct`.
    standings: list[TournamentPlace]
    # The tables of each round so far.
    pairings: list[list[TournamentPairing]]
    # The tag by which `GET /v1/sessions?tag=` finds all sessions.
    tag: str
    created_at: str


class Tournament(_Tournament, total=False):
    """A tournament, with its rounds so far."""

    # Who starts it, if that is a player or the holder of an operator key.
    creator: str | None


class _TournamentPlace(TournamentPlayer):
    # From 1. Equal ones share a place.
    place: int
    # A win is one point, a tie half of one; with more than two seats, divided by the number of opponents. A
    # round without an opponent is one point.
    points: float
    # In a Swiss tournament Buchholz, the points of all opponents; in a round robin Sonneborn-Berger, the
    # points of each opponent times the own points against it.
    tie_break: float
    # Points against others with the same points and tie-break.
    direct: float
    # Number of games that are over.
    games: int


class TournamentPlace(_TournamentPlace, total=False):
    """The place of somebody who takes part."""

    # Present and true if the player plays no further rounds.
    withdrawn: bool


class TournamentSeat(TournamentPlayer, total=False):
    """A seat of a table."""

    # Once the game is over.
    points: float | None


class CreatedSession(Session, total=False):
    """A new session, with the secrets that only its creator receives."""

    # Token for managing the session. Shown once, to the creator.
    owner_token: str | None
    # Code for taking a seat of a private session. Shown once.
    invite_code: str | None
    # Token for watching a private session. Shown once.
    spectator_token: str | None


BotName = Literal["random", "greedy", "search-1", "search-2", "search-3", "default"]
ClockClass = Literal["bullet", "blitz", "rapid", "classical", "days", "untimed"]
DelayKind = Literal["simple", "bronstein"]
DigestPace = Literal["never", "daily"]
ForkPolicy = Literal["never", "finished", "always"]
GameEvent = Union["KnownEvent", "OtherEvent"]
KnownEvent = Union["SessionCreatedEvent", "ResumedEvent", "SeatTakenEvent", "SeatLeftEvent", "SeatRenewedEvent", "SeatReservedEvent", "PlayerForgottenEvent", "UndoWishedEvent", "UndoRefusedEvent", "UndoneEvent", "RolledBackEvent", "TimedOutEvent", "ResignedEvent", "DrawOfferedEvent", "DrawAcceptedEvent", "DrawDeclinedEvent", "DrawWithdrawnEvent", "AbortedEvent", "PauseWantedEvent", "PauseDeclinedEvent", "PausedEvent", "UnpausedEvent", "ClaimedEvent", "RatedEvent", "AbsenceVotedEvent", "MatchedEvent", "DeclinedEvent", "WithdrawnEvent", "ExpiredEvent", "TokenRenewedEvent", "ForkedEvent", "GameBeganEvent", "RoundBeganEvent", "RoundEndedEvent", "TurnBeganEvent", "TurnEndedEvent", "PhaseBeganEvent", "PhaseEndedEvent", "MovedEvent", "ShuffledEvent", "RolledEvent", "TurnedEvent", "ShownEvent", "ScoredEvent", "ChoseEvent", "DrawnEvent", "SaidEvent", "SetEvent", "FinishedEvent"]
MessagePolicy = Literal["table", "off"]
MessageReaders = Literal["table", "team"]
NewPing = dict[str, Any]
NewSeat = Union["PlainSeat", "PlayerSeat"]
NewTicket = dict[str, Any]
NewToken = dict[str, Any]
OpenObject = dict[str, Any]
OperationKind = Literal["add", "remove", "replace"]
OptionValue = Union[bool, int, str]
PlainSeat = Literal["open", "random", "greedy", "search-1", "search-2", "search-3", "default"]
PlayerStreamMessage = Union["PlayerMessage", "PlayerSnapshot", "StreamBye"]
ProblemCode = Literal["malformed", "unauthenticated", "forbidden", "player-required", "webhook-refused", "text-refused", "not-found", "method-not-allowed", "not-acceptable", "timeout", "seat-taken", "session-full", "session-over", "session-running", "not-your-turn", "not-undoable", "not-now", "illegal-choice", "idempotency-in-flight", "history-rewritten", "stale-version", "too-large", "unsupported-media-type", "idempotency-mismatch", "unprocessable", "invalid-ruleset", "rules-budget-exceeded", "precondition-required", "rate-limited", "headers-too-large", "internal", "store-unavailable", "draining", "overloaded", "outcome-unknown"]
Relation = Literal["=", "!=", "<", "<=", ">", ">="]
SpectatorPolicy = Literal["nothing", "live", "delayed"]
StepPart = Literal["state", "view", "decisions", "events", "actions", "mask", "returns"]
StepViewer = Union[int, "ViewerName"]
StreamMessage = Union["View", "Change", "ReadMessage", "StreamEnd", "StreamResync", "StreamBye"]
TimeEnd = Literal["lose", "default", "random", "bot", "free"]
TournamentFormat = Literal["round-robin", "swiss"]
UndoPolicy = Literal["never", "free", "agreed", "anything_agreed"]
ViewerName = Literal["public", "owing"]
Visibility = Literal["public", "private"]
WebhookEvent = Literal["session.started", "session.changed", "decision.owed", "session.finished"]
WebhookFormat = Literal["json", "discord", "slack", "telegram"]
