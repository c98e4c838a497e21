# shellcheck shell=sh
# Builds and runs the benchmarks, which are not part of what is shipped. Sourced by ../../sluice, after build.sh.

readonly BENCH_MAIN=dev.sluice.bench/dev.sluice.bench.Main
readonly bench_dist="$home/bench/target/dist"
readonly bench_results="$home/bench/results"
readonly bench_built="$bench_dist/built" # newer than every source that the benchmarks were made of

build_bench_if_stale() {
    build_if_stale
    if [ "${SLUICE_BUILD:-}" = never ]; then
        [ -d "$bench_dist/lib" ] ||
            die "SLUICE_BUILD=never, but no benchmarks are built in $bench_dist; run ./sluice bench without it once."
    elif bench_is_stale; then
        lock_build
        bench_is_stale && build_bench
        unlock_build
    fi
}

bench_is_stale() {
    [ ! -f "$bench_built" ] ||
        [ -n "$(find "$built" "$home/bench/pom.xml" "$home/bench/src/main" -newer "$bench_built" -print -quit)" ]
}

build_bench() {
    run_maven bench
    show ''
    mv "$state/build.began" "$bench_built"
}

# The commit of the sources, with a mark if files differ from it.
bench_commit() {
    commit=$(git -C "$home" rev-parse --short=12 HEAD 2>/dev/null) || commit=unknown
    if [ "$commit" != unknown ] && [ -n "$(git -C "$home" status --porcelain --untracked-files=no)" ]; then
        commit="$commit+changes"
    fi
    printf '%s' "$commit"
}

# Replaces this process with the JVM that runs the benchmarks. The gateways that they start have the options of this
# one, but a module path of their own, for which the AOT cache holds.
run_bench() {
    more_modules="--add-modules dev.sluice.cli"
    SLUICE_BENCH_RESULTS=$bench_results
    SLUICE_BENCH_COMMIT=$(bench_commit)
    export SLUICE_BENCH_RESULTS SLUICE_BENCH_COMMIT
    use_aot_cache "$gateway_aot_cache"
    launch "$dist/lib:$bench_dist/lib" "$BENCH_MAIN" "$@"
}
