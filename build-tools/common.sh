# Shared by the project's scripts. Source it with `root` set to the checkout; progress goes to stderr.
# shellcheck shell=bash

locks=$root/.lockstep # ignored by git
# In another user's installation, what this user's starts write is in a directory of their own.
if ! mkdir -p "$locks" 2>/dev/null || [[ ! -w $locks ]]; then
    locks=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/lockstep/$(cksum <<<"$root" | cut -d ' ' -f 1)
fi
readonly locks

# Whether this user may write to the checkout.
is_own() { [[ $locks == "$root/.lockstep" ]]; }

say() { echo "lockstep: $*" >&2; }

die() {
    say "$*"
    exit 1
}

# Runs a function while no other process of this checkout holds the lock. usage: alone LOCK FUNCTION [ARGUMENT]...
alone() {
    mkdir -p "$locks" 2>/dev/null && [[ -w $locks ]] ||
        die "neither $root nor $locks can be written by $(id -un): set XDG_CACHE_HOME to a directory that can"
    (
        if ! flock -n 9; then
            say "another start of this checkout is busy with the same ($1); waiting for it"
            flock 9
        fi
        "${@:2}" 9>&-
    ) 9>"$locks/$1.lock"
}

# The major version of the JDK at a path; empty if there is none. Reads its release file, because starting a JVM is
# slow.
jdk_version() {
    [[ -x $1/bin/javac && -x $1/bin/java && -f $1/release ]] || return 0
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

# Flink's own scripts request a security manager, which JDKs no longer have from 24 on.
flink_jdk_most=23
readonly flink_jdk_most

# Sets JAVA_HOME to the first JDK 17 or later among JAVA_HOME, the JDK on the PATH, and the system's JDKs.
# usage: find_jdk [MOST]
find_jdk() {
    local candidate version on_path most=${1:-} given=${JAVA_HOME:-}
    [[ -z $given || -x $given/bin/java ]] ||
        die "JAVA_HOME is $given, where there is no bin/java: correct it, or unset it"
    on_path=$(command -v javac || true)
    [[ -z $on_path ]] || on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
    for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/*17* /usr/lib/jvm/*; do
        [[ -n $candidate ]] || continue
        version=$(jdk_version "$candidate")
        if [[ -n $version && $version -ge 17 && (-z $most || $version -le $most) ]]; then
            [[ -z $given || $candidate == "$given" ]] ||
                say "JAVA_HOME, $given, is no JDK 17 or later${most:+ up to $most}: $candidate is used"
            export JAVA_HOME=$candidate
            return
        fi
    done
    die "no JDK 17 or later${most:+, but at most $most,} was found (JAVA_HOME, PATH, /usr/lib/jvm): install one, for example with 'apt-get install openjdk-17-jdk-headless', or set JAVA_HOME"
}

# Whether a Python is 3.10 or later and can create virtual environments.
python_fits() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null
}

can_import() { "$1" -c "import $2" 2>/dev/null; }

find_python() {
    local candidate
    for candidate in python3.11 python3 python3.12 python3.13 python3.10; do
        if command -v "$candidate" >/dev/null && python_fits "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
    die "no Python 3.10 or later with its module venv was found: install one, for example with 'apt-get install python3.11 python3.11-venv'"
}
