# shellcheck shell=sh
# Runs the test suite and adds up its reports. Sourced by ../../sluice; uses $home and $jdk.

# Ends with a line "N passed, N failed" and exit code 0 when tests ran and none failed.
run_tests() {
    openssl_option=
    if [ "${1:-}" = --openssl ]; then
        [ -e "${2:-}/libssl.so.3" ] || die "--openssl ${2:-}: no libssl.so.3 there; name the directory that holds it."
        openssl_option=-Dsluice.openssl=$(CDPATH='' cd -- "$2" && pwd -P)
        shift 2
    fi
    cd "$home"
    find . -path '*/target/surefire-reports/*' -type f -delete
    maven_exit=0
    # A failed test must not keep the modules behind it from running: the reports tell, not Maven's exit code.
    JAVA_HOME=$jdk ./mvnw -B -ntp verify -Dmaven.test.failure.ignore=true ${openssl_option:+"$openssl_option"} "$@" ||
        maven_exit=$?
    summarize "$maven_exit"
}

# Prints what failed and the totals, and exits. $1: Maven's exit code, which is not 0 when something did not compile, is
# not formatted, or has no tests.
summarize() {
    passed=0 failed=0 skipped=0
    for report in */target/surefire-reports/TEST-*.xml; do
        [ -f "$report" ] && add_up "$report"
    done
    echo
    find . -path '*/target/surefire-reports/*.txt' -exec grep -h -E '<<< (FAILURE|ERROR)!' {} + |
        sed -n 's/^\([^ ]*\.[^ ]*\) -- .*<<< .*/failed: \1/p' | sort -u
    if [ "$skipped" -gt 0 ]; then
        echo "skipped: $skipped, each for something that this machine lacks (SLUICE_REQUIRE_PEERS=true turns them into failures)"
    fi
    if [ "$1" -ne 0 ]; then
        echo "Maven ended with exit code $1: its errors stand above."
    fi
    echo "$passed passed, $failed failed"
    [ "$1" -eq 0 ] && [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}

# Adds the counts of one report, which stand in the attributes of its first element.
add_up() {
    suite=$(sed -n '/<testsuite /{p;q;}' "$1")
    tests=$(attribute tests) errors=$(attribute errors) failures=$(attribute failures) skips=$(attribute skipped)
    failed=$((failed + errors + failures))
    skipped=$((skipped + skips))
    passed=$((passed + tests - errors - failures - skips))
}

attribute() {
    printf '%s\n' "$suite" | sed -n "s/.* $1=\"\([0-9]*\)\".*/\1/p"
}
