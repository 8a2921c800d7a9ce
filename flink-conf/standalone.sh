#!/usr/bin/env bash
# A standalone Flink cluster on this machine: one JobManager and some TaskManager processes of the real distribution, on
# 127.0.0.1 with free ports, with the settings of config.yaml next to this script.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
# shellcheck source=build-tools/common.sh
source "$root/build-tools/common.sh"

flink_version=2.3.0
flink=${LOCKSTEP_FLINK_HOME:-$locks/flink-$flink_version}
cluster=${LOCKSTEP_CLUSTER:-$locks/cluster}
host=127.0.0.1
ready_s=90
stop_s=20
readonly flink_version flink cluster host ready_s stop_s

usage() {
    cat >&2 <<USAGE
usage: flink-conf/standalone.sh VERB
  install       get Flink $flink_version from PyPI (330 MB); 'start' does it where it is missing
  start [N]     start one JobManager and N TaskManagers (2); prints the address HOST:PORT that jobs are submitted to
  address       print that address
  flink ARG...  Flink's own command against this cluster, for example: flink run JOB.jar
  stop          stop all its processes
  clean         stop, and delete its configuration, logs and checkpoints
LOCKSTEP_FLINK_HOME names a Flink distribution to use in place of PyPI's, LOCKSTEP_CLUSTER the folder of this cluster
(its configuration, logs, process numbers and checkpoints; $cluster).
USAGE
    exit 2
}

# PyPI has a distribution in two halves, lib/ and plugins/ in one package and bin/ and conf/ in another. Neither
# contains Python code, so the interpreter's version and the dependencies do not matter.
install() {
    [[ ! -d $flink/lib ]] || return 0
    [[ -z ${LOCKSTEP_FLINK_HOME:-} ]] || die "LOCKSTEP_FLINK_HOME=$flink has no folder lib: it is no Flink distribution"
    local python unpacked=$locks/flink.part
    python=$(find_python)
    say "downloading Flink $flink_version from PyPI (330 MB)"
    rm -rf "$unpacked"
    "$python" -m pip install -q --disable-pip-version-check --root-user-action ignore --target "$unpacked" --no-deps --only-binary :all: \
        --python-version 3.11 --implementation cp --platform manylinux2014_x86_64 \
        "apache-flink==$flink_version" "apache-flink-libraries==$flink_version" >&2 || die "pip could not get it; its message is above"
    chmod +x "$unpacked"/pyflink/bin/*.sh "$unpacked/pyflink/bin/flink"
    mv "$unpacked/pyflink" "$flink"
    rm -rf "$unpacked"
}

free_ports() {
    "$(find_python)" - "$1" <<'PYTHON'
import socket, sys
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(s.getsockname()[1] for s in sockets))
PYTHON
}

# Writes config.yaml for this machine: the file next to this script with the given keys replaced.
configure() {
    local key values=$cluster/values.yaml
    cat >"$values"
    mkdir -p "$cluster/conf"
    cp "$flink"/conf/log4j*.properties "$cluster/conf/"
    cp "$root/flink-conf/config.yaml" "$cluster/conf/config.yaml"
    while read -r key _; do
        sed -i "/^${key//./\\.} /d" "$cluster/conf/config.yaml"
    done <"$values"
    cat "$values" >>"$cluster/conf/config.yaml"
    rm "$values"
}

# Runs a script of the distribution on this cluster.
of_flink() {
    FLINK_CONF_DIR=$cluster/conf FLINK_LOG_DIR=$cluster/log FLINK_PID_DIR=$cluster/pids FLINK_IDENT_STRING=lockstep \
        HOSTNAME=$host "$flink/bin/$1" "${@:2}"
}

# The ids of this cluster's live processes.
processes() {
    local pid
    while read -r pid; do
        if kill -0 "$pid" 2>/dev/null; then echo "$pid"; fi
    done < <(cat "$cluster"/pids/*.pid 2>/dev/null)
}

start() {
    local count=$1 rpc rest i
    [[ -z $(processes) ]] || die "this cluster runs already, at $(address): 'stop' ends it"
    mkdir -p "$cluster/log" "$cluster/pids" "$cluster/tmp"
    read -r rpc rest < <(free_ports 2)
    configure <<YAML
jobmanager.rpc.address: $host
jobmanager.rpc.port: $rpc
jobmanager.bind-host: $host
rest.address: $host
rest.port: $rest
rest.bind-address: $host
taskmanager.host: $host
taskmanager.bind-host: $host
jobmanager.memory.process.size: 1g
taskmanager.memory.process.size: 1500m
taskmanager.memory.task.off-heap.size: 384m
execution.checkpointing.dir: file://$cluster/checkpoints
execution.checkpointing.savepoint-dir: file://$cluster/savepoints
io.tmp.dirs: $cluster/tmp
YAML
    say "starting one JobManager and $count TaskManagers; logs are in $cluster/log"
    of_flink jobmanager.sh start >&2
    for ((i = 0; i < count; i++)); do of_flink taskmanager.sh start >&2; done
    await_taskmanagers "$count" "http://$host:$rest/overview"
    echo "$host:$rest" >"$cluster/address"
    address
}

await_taskmanagers() {
    "$(find_python)" - "$1" "$2" "$ready_s" <<'PYTHON' || die "the cluster did not become ready; see $cluster/log"
import json, sys, time, urllib.request
count, url, limit = int(sys.argv[1]), sys.argv[2], time.monotonic() + int(sys.argv[3])
while time.monotonic() < limit:
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=5) as reply:
            if json.load(reply)["taskmanagers"] >= count:
                sys.exit(0)
    except OSError:
        pass  # not up yet
    time.sleep(0.3)
sys.exit(1)
PYTHON
}

address() {
    [[ -f $cluster/address ]] || die "no cluster has been started in $cluster"
    cat "$cluster/address"
}

stop() {
    local left tries
    mapfile -t left < <(processes)
    if [[ ${#left[@]} -gt 0 ]]; then
        say "stopping ${#left[@]} processes"
        kill "${left[@]}" 2>/dev/null || true
        for ((tries = 0; tries < stop_s * 5; tries++)); do
            [[ -n $(processes) ]] || break
            sleep 0.2
        done
        mapfile -t left < <(processes)
        if [[ ${#left[@]} -gt 0 ]]; then
            say "killing what did not end within $stop_s s: ${left[*]}"
            kill -9 "${left[@]}" 2>/dev/null || true
        fi
    fi
    rm -rf "$cluster/pids" "$cluster/address"
}

clean() {
    stop
    rm -rf "$cluster"
}

case ${1:-} in
    install) alone flink install ;;
    start)
        find_jdk "$flink_jdk_most"
        alone flink install
        start "${2:-2}"
        ;;
    address) address ;;
    flink)
        find_jdk "$flink_jdk_most"
        of_flink flink "${@:2}"
        ;;
    stop) stop ;;
    clean) clean ;;
    *) usage ;;
esac
