# shellcheck shell=sh
# How the JVM is run, from the tree and installed alike. Sourced by ../../sluice and by the launcher of packages; uses
# $jdk and $dist, the directory with the libraries.

readonly MAIN=dev.sluice.cli/dev.sluice.cli.Main
readonly GATEWAY_WARM_UP=dev.sluice.cli/dev.sluice.cli.gateway.WarmUp
readonly COMMAND_WARM_UP=dev.sluice.cli/dev.sluice.cli.CommandWarmUp
# What each is for:
# -Xmn8m                  the control path's garbage is little, but a collection takes 1.5 ms: with 3 MB they were a
#                         hundredth of the time in a storm of handshakes
# UseCompactObjectHeaders an idle connection's objects take 100 bytes less
# TrimNativeHeapInterval  what handshakes and the JIT compiler leave in the C library's heap, 16 MB after 9,500
#                         connections, goes back within 5 s; takes 1 ms
# Tier…NotifyFreqLog      how many calls pass before the JIT compilers look at a method: 2^8 interpreted (the default is
#                         2^7), 2^17 and 2^12 compiled by C1 (2^11, 2^10). With the AOT cache a method is compiled at
#                         the first look. What the start calls often is not what connections will, and C2 took 400 ms
#                         of the first thousand handshakes, most of it within the first hundred
# UseDynamicNumberOf…     no compiler thread comes later: after the warm-up those of C2 have spare time only, and one
#                         that C2 starts for C1 would too
readonly JVM_OPTIONS="-XX:+UseSerialGC -Xms20m -Xmx512m -Xmn8m -XX:+UseCompactObjectHeaders
    -XX:-UseDynamicNumberOfCompilerThreads -XX:TrimNativeHeapInterval=5000 -XX:-UsePerfData -XX:+ExitOnOutOfMemoryError
    -XX:Tier0InvokeNotifyFreqLog=8 -XX:Tier0BackedgeNotifyFreqLog=13 -XX:Tier2InvokeNotifyFreqLog=17
    -XX:Tier2BackedgeNotifyFreqLog=17 -XX:Tier3InvokeNotifyFreqLog=12 --enable-native-access=dev.sluice.ffi"

# The client for Redis, which only a fleet needs, Bouncy Castle, which only OCSP and ACME need, the client for ACME,
# dnsjava, which only names of servers need, and Prometheus' client, which only scrapes need: on the class path nobody
# looks at them before they are asked for.
class_path() {
    printf '%s' "$dist/redis/*:$dist/ocsp/*:$dist/acme/*:$dist/dns/*:$dist/metrics/*"
}

# Replaces this process with the JVM, so that signals and exit codes need no passing on; with AOT cache $aot_option, if
# any.
# The collector and the small heap suit a program that keeps its data off the heap. Logging of the JVM is off since its
# complaint about an outdated AOT cache, which only costs start-up time, would stand in the command's own output.
run_jvm() {
    # glibc would make eight heaps for each core, and what short-lived threads leave in one the others cannot use.
    # One for each core takes least in a storm of handshakes and after it, less than jemalloc (tools/memory/allocators).
    export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-$(nproc)}"
    # shellcheck disable=SC2086 # options are several words
    exec "$jdk/bin/java" ${aot_option:+"$aot_option"} -Xlog:disable $JVM_OPTIONS ${SLUICE_JAVA_OPTS:-} \
        --class-path "$(class_path)" "$@"
}

# Makes AOT cache $1 by the run of a workload, the rest: classes loaded and linked as the run needed them. A gateway
# starts in less than half the time with it. Every class in a cache is loaded at each start, so the gateway has one of
# its own.
#
# It is why the options do not say --illegal-native-access=deny, with which the JVM refuses to archive the module graph;
# the tests run with it instead.
train_aot_cache() {
    cache=$1
    shift
    # shellcheck disable=SC2086 # options are several words
    if ! "$jdk/bin/java" -XX:AOTCacheOutput="$cache" $JVM_OPTIONS --class-path "$(class_path)" "$@"; then
        rm -f "$cache"
        return 1
    fi
}
