# shellcheck shell=sh
# Builds the modules and the AOT cache. Sourced by ../../sluice; uses $home and $jdk, and jvm.sh.

readonly dist="$home/cli/target/dist"
readonly built="$dist/built" # its time: when the sources were read that $dist was made of
readonly gateway_aot_cache="$dist/gateway.aot"
readonly command_aot_cache="$dist/command.aot"
readonly aot_jdk="$dist/aot.jdk" # the JDK that made the caches: no other can use them
readonly state="$home/target"
readonly log="$state/build.log"
readonly lock="$state/build.lock"

build_if_stale() {
    if [ "${SLUICE_BUILD:-}" = never ]; then
        [ -d "$dist/lib" ] || die "SLUICE_BUILD=never, but nothing is built in $dist; run ./sluice build first."
    elif is_stale; then
        lock_build
        if is_stale; then # still, now that whoever held the lock is done
            build
        fi
        unlock_build
    fi
}

# Whether a source is newer than what was built of it. A file that was removed shows by its directory.
is_stale() {
    [ ! -f "$built" ] ||
        [ -n "$(find "$home/pom.xml" "$home/.mvn" "$home"/*/pom.xml "$home"/*/src/main -path "$home/bench/*" -prune \
            -o -newer "$built" -print -quit)" ]
}

# One build at a time in one tree. The lock names its holder, so that one left behind by a killed build is noticed.
lock_build() {
    mkdir -p "$state"
    until mkdir "$lock" 2>/dev/null; do
        holder=$(cat "$lock/pid" 2>/dev/null || :)
        if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
            rm -rf "$lock"
        else
            show "Waiting for another build of Sluice (process ${holder:-unknown}) …"
            sleep 1
        fi
    done
    trap 'unlock_build; exit 130' HUP INT TERM
    printf '%s\n' "$$" >"$lock/pid"
}

unlock_build() {
    rm -rf "$lock"
    trap - HUP INT TERM
}

build() {
    rm -f "$built" "$dist"/*.aot "$aot_jdk"
    run_maven cli
    show "Building Sluice: preparing a fast start …"
    make_aot_cache "$GATEWAY_WARM_UP" "$gateway_aot_cache" >>"$log" 2>&1
    make_aot_cache "$COMMAND_WARM_UP" "$command_aot_cache" >>"$log" 2>&1
    mv "$state/build.began" "$built"
    show ''
    say "Built Sluice in $(($(date +%s) - began)) s; log: $log"
}

# Builds module $1 and what it needs, and shows how far it is. $state/build.began has the time at which it began.
run_maven() {
    began=$(date +%s)
    touch "$state/build.began"
    maven_package "$1" >"$log" 2>&1 &
    maven=$!
    trap 'kill "$maven" 2>/dev/null; unlock_build; exit 130' HUP INT TERM
    show_progress_of "$maven"
    if ! wait "$maven"; then
        explain_failure
    fi
}

maven_package() {
    cd "$home"
    JAVA_HOME=$jdk exec ./mvnw -B -ntp -pl "$1" -am package -Dmaven.test.skip=true -Dcheckstyle.skip=true
}

explain_failure() {
    show ''
    tail -n 40 "$log" >&2
    unlock_build
    die "the build failed; the end of its log is above, the whole log is $log"
}

# Shows how far the build with process id $1 is, until it ends: one line that changes on a terminal, one that does not
# elsewhere.
show_progress_of() {
    if [ ! -t 2 ]; then
        say "Building Sluice; the first time this fetches Maven and libraries and takes a minute or two …"
        return 0
    fi
    while kill -0 "$1" 2>/dev/null; do
        module=$(sed -n 's/^\[INFO\] Building Sluice \([a-z]\{1,\}\) .*\(\[.*\]\)$/\2 \1/p' "$log" | tail -n 1)
        show "Building Sluice: ${module:-fetching Maven and libraries} … $(($(date +%s) - began)) s"
        sleep 0.3
    done
}

# Replaces the current line of the terminal; does nothing where there is none.
show() {
    if [ -t 2 ]; then
        printf '\r\033[K%s' "$*" >&2
    fi
}

# Makes AOT cache $2 by workload $1. It is only an acceleration: where it cannot be made, everything runs without.
make_aot_cache() {
    if train_aot_cache "$2" --module-path "$dist/lib" --module "$1"; then
        printf '%s\n' "$jdk" >"$aot_jdk"
    else
        echo "An AOT cache could not be created; commands start more slowly and are otherwise unaffected."
    fi
}

# Sets $aot_option to AOT cache $1. One that another JDK made would be passed over by the JVM, and nobody would know why
# it is slow.
use_aot_cache() {
    aot_option=
    made_by=
    if [ ! -f "$1" ] || [ ! -f "$aot_jdk" ]; then
        return 0
    fi
    read -r made_by <"$aot_jdk"
    # shellcheck disable=SC3013 # -nt is in dash, bash and busybox, and in POSIX since 2024
    if [ "$made_by" = "$jdk" ] && [ ! "$jdk/release" -nt "$1" ]; then
        aot_option=-XX:AOTCache=$1
    else
        say "sluice: slower start (the AOT cache was not made by $jdk); ./sluice build makes a new one"
    fi
}
