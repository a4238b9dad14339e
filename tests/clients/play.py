"""Plays every shipped game to its end with a client that openapi-python-client generated, and says which events and which code it
does not know: play.py URL GAME..."""

import random
import sys

from wyrmgate import AuthenticatedClient, Client
from wyrmgate.api.play import get_actions, list_events, make_move
from wyrmgate.api.seats import claim_seat
from wyrmgate.api.sessions import create_session, get_session
from wyrmgate.models import NewClaim, NewMove, NewSession, OtherEvent


def play(url: str, game: str, dice: random.Random) -> str:
    public = Client(base_url=url, raise_on_unexpected_status=True)
    created = create_session.sync(client=public, body=NewSession(game=game))
    id = created.id
    players = []
    for seat in range(1, len(created.seats) + 1):
        claimed = claim_seat.sync(id, seat, client=public, body=NewClaim())
        players.append(AuthenticatedClient(url, claimed.token, raise_on_unexpected_status=True))
    moves = 0
    while (session := get_session.sync(id, client=public)).status != "finished":
        owing = ((players[seat - 1], get_actions.sync(id, client=players[seat - 1])) for seat in session.owing)
        # Who has answered in secret still seems to owe.
        player, decision = next((player, actions.items[0]) for player, actions in owing if actions.items)
        made = make_move.sync(id, client=player, body=NewMove(id=dice.choice(decision.choices).id))
        assert made.version >= session.version, made
        moves += 1
    page = list_events.sync(id, client=public)
    unknown = {event.type_ for change in page.items for event in change.events if isinstance(event, OtherEvent)}
    problem = get_session.sync("no-such-session", client=public)
    return f"{moves} moves, unknown events {sorted(unknown)}, the code of a missing session is {problem.code}"


if __name__ == "__main__":
    for name in sys.argv[2:]:
        print(f"{name}: {play(sys.argv[1], name, random.Random(7))}")
