#!/usr/bin/env bash
# Plays a game with curl and jq alone, against built-in bots: shows each position as text and makes the first listed choice.
#
#   examples/table.sh http://127.0.0.1:8080 tic-tac-toe
#
# Needs curl 7.82 or newer and jq.

set -euo pipefail
server=${1:?which server?}
game=${2:-tic-tac-toe}

call() { curl --silent --show-error --fail-with-body "$@"; }

rivals=$(($(call "$server/v1/games/$game" | jq '.players[0]') - 1))
seats=$(jq --null-input --compact-output --argjson rivals "$rivals" '["open"] + [range($rivals) | "random"]')
session=$server/v1/sessions/$(call "$server/v1/sessions" --json "{\"game\": \"$game\", \"seats\": $seats}" | jq --raw-output .id)
token=$(call --request PUT "$session/seats/1" --json '{"name": "table.sh"}' | jq --raw-output .token)
me="Authorization: Bearer $token"

version=0
while true; do
    # The changes since the last one that was seen; an empty page waits until somebody moves.
    changes=$(call "$session/events?after=$version&include=actions" --header "$me" --header 'Prefer: wait=20')
    [ "$(jq '.items | length' <<<"$changes")" -gt 0 ] || continue
    now=$(jq '.items[-1]' <<<"$changes")
    while choice=$(jq --raw-output --exit-status '.decisions[0].choices[0].id' <<<"$now"); do
        call "$session/board.txt?size=80" --header "$me"
        jq --raw-output '.decisions[0] | "\(.prompt // .name)  \(.choices[0].label)"' <<<"$now"
        # The receipt has the next decisions, so a game needs one request per move.
        now=$(call "$session/moves?include=actions" --header "$me" --json "{\"id\": \"$choice\"}")
    done
    [ "$(jq --raw-output .status <<<"$now")" = running ] || break
    version=$(jq .version <<<"$now")
done
call "$session" | jq --compact-output .outcome
