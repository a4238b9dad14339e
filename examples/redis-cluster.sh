#!/usr/bin/env bash
# A Redis Cluster of six processes on this machine, three masters with a replica each, to try things out:
#
#   examples/redis-cluster.sh start      ports 7000 to 7005, folder ./redis-cluster
#   wyrmgate serve --store 'redis+cluster://127.0.0.1:7000,127.0.0.1:7001?durability=replicated'
#   examples/redis-cluster.sh kill 7000  a master dies; its replica takes over
#   examples/redis-cluster.sh stop       all processes end; the folder is taken away
#
# PORT=8000 FOLDER=/tmp/cluster move it elsewhere. Needs redis-server and redis-cli 7 or newer (or Valkey's).

set -euo pipefail

port=${PORT:-7000}
folder=${FOLDER:-redis-cluster}
nodes=6
last=$((port + nodes - 1))

server() { command -v redis-server || command -v valkey-server; }
cli() { "$(command -v redis-cli || command -v valkey-cli)" "$@"; }

begin() { # PORT
    local home=$folder/$1
    mkdir -p "$home"
    "$(server)" --port "$1" --bind 127.0.0.1 --dir "$home" --daemonize yes --pidfile pid \
        --logfile log --save '' --appendonly yes --appendfsync everysec --maxmemory-policy noeviction \
        --cluster-enabled yes --cluster-node-timeout 2000 --cluster-replica-validity-factor 0 \
        --repl-diskless-sync-delay 0 >/dev/null
}

answers() { # PORT
    cli -p "$1" ping >/dev/null 2>&1
}

end() { # PORT
    local pid=$folder/$1/pid
    if [ -f "$pid" ]; then kill "$(cat "$pid")" 2>/dev/null || true; fi
}

case ${1:-} in
start)
    if [ -e "$folder" ]; then
        echo "$folder is there already; \`$0 stop\` takes it away" >&2
        exit 1
    fi
    hosts=()
    for at in $(seq "$port" "$last"); do
        begin "$at"
        hosts+=("127.0.0.1:$at")
    done
    for at in $(seq "$port" "$last"); do
        until answers "$at"; do sleep 0.1; done
    done
    cli --cluster create "${hosts[@]}" --cluster-replicas 1 --cluster-yes >/dev/null
    until cli -p "$port" cluster info | grep -q cluster_state:ok; do sleep 0.1; done
    echo "redis+cluster://127.0.0.1:$port,127.0.0.1:$((port + 1))"
    ;;
kill)
    kill -9 "$(cat "$folder/${2:?which port?}/pid")"
    ;;
stop)
    for at in $(seq "$port" "$last"); do end "$at"; done
    for at in $(seq "$port" "$last"); do
        while answers "$at"; do sleep 0.1; done
    done
    rm -rf "$folder"
    ;;
*)
    sed -n '2,10s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
