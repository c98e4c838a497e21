# shellcheck shell=sh
# Runs the tests and adds up their reports. Sourced by ../../sluice; uses $home and $jdk.

readonly SLOWEST=10 # how many classes are listed
readonly NEAREST=5  # how many names are offered for an unknown one

# Runs the whole suite, the tests of modules, or test classes, and exits: 0 when tests ran and none failed.
run_tests() {
    read_test_arguments "$@"
    eval "set -- $maven_arguments"
    if [ -n "$test_classes" ]; then
        # Tests of interop run what is packaged.
        goal=test
        case ,$test_modules, in *,interop,*) goal=package ;; esac
        set -- -pl "$test_modules" -am "$goal" -Dtest="$test_classes" \
            -Dsurefire.failIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false "$@"
    elif [ -n "$test_modules" ]; then
        set -- -pl "$test_modules" -am verify "$@"
    else
        set -- verify "$@"
    fi
    cd "$home"
    find . -path '*/target/surefire-reports/*' -type f -delete
    maven_exit=0
    # A failed test must not keep the modules behind it from running: the reports decide, not Maven's exit code.
    JAVA_HOME=$jdk ./mvnw -B -ntp -Dmaven.test.failure.ignore=true "$@" || maven_exit=$?
    summarize "$maven_exit"
}

# Sets $test_modules and $test_classes (comma-separated) and $maven_arguments (quoted for eval).
read_test_arguments() {
    test_modules='' test_classes='' maven_arguments='' value_of=''
    for word; do
        if [ "$value_of" = --openssl ]; then
            [ -e "$word/libssl.so.4" ] || [ -e "$word/libssl.so.3" ] ||
                die "--openssl $word: no libssl.so.4 or libssl.so.3 there; name the directory that holds it."
            add_maven_argument "-Dsluice.openssl=$(CDPATH='' cd -- "$word" && pwd -P)"
            value_of=''
        elif [ -n "$value_of" ]; then
            add_maven_argument "$word"
            value_of=''
        else
            case $word in
                --openssl) value_of=$word ;;
                -pl | -rf | -P | -T | -D | -l | --projects | --resume-from | --activate-profiles | --threads)
                    add_maven_argument "$word"
                    value_of=$word
                    ;;
                -*) add_maven_argument "$word" ;;
                *) add_test_name "$word" ;;
            esac
        fi
    done
    [ -z "$value_of" ] || die "$value_of: its value is missing."
    if [ -n "$test_classes" ] && [ -n "$named_module" ]; then
        die "name either modules ($named_module) or test classes ($test_classes), not both."
    fi
}
named_module=''

add_maven_argument() {
    maven_arguments="$maven_arguments '$(printf '%s\n' "$1" | sed "s/'/'\\\\''/g")'"
}

# $1: a module, or a test class, with or without its package and #method, or a pattern such as 'Gateway*Test'.
add_test_name() {
    if [ -f "$home/$1/pom.xml" ] && [ "${1#*/}" = "$1" ]; then
        named_module=$1
        add_test_module "$1"
        return 0
    fi
    class=${1%%#*}
    files=$(test_files "$(printf '%s\n' "$class" | sed 's|\.|/|g')")
    [ -n "$files" ] || die_of_unknown_name "$1"
    for module in $(printf '%s\n' "$files" | sed 's|/.*||' | sort -u); do
        add_test_module "$module"
    done
    test_classes=${test_classes:+$test_classes,}$1
}

add_test_module() {
    case ,$test_modules, in
        *",$1,"*) ;;
        *) test_modules=${test_modules:+$test_modules,}$1 ;;
    esac
}

# Prints the files of the test classes that match a pattern, relative to $home.
test_files() {
    (cd "$home" && find -- */src/test/java -name '*Test.java' -path "*/$1.java")
}

die_of_unknown_name() {
    nearest=$(
        {
            test_files '*' | sed 's|.*/||; s|\.java$||'
            cd "$home" && find -- */pom.xml | sed 's|/.*||'
        } | sort -u | nearest_to "${1%%#*}"
    )
    die "no module and no test class is named '${1%%#*}'; nearest: ${nearest:-none}"
}

# Of the names on standard input, prints those that are like $1: first those that contain it, then by edit distance.
nearest_to() {
    awk -v wanted="$1" '
        function least(a, b) { return a < b ? a : b }
        function distance(a, b,    i, j, diagonal, above, row) {
            for (j = 0; j <= length(b); j++) row[j] = j
            for (i = 1; i <= length(a); i++) {
                diagonal = row[0]
                row[0] = i
                for (j = 1; j <= length(b); j++) {
                    above = row[j]
                    row[j] = least(least(above, row[j - 1]) + 1, diagonal + (substr(a, i, 1) != substr(b, j, 1)))
                    diagonal = above
                }
            }
            return row[length(b)]
        }
        {
            name = tolower($0)
            stem = name
            sub(/test$/, "", stem)
            apart = least(distance(tolower(wanted), name), distance(tolower(wanted), stem))
            if (index(name, tolower(wanted))) apart = 0
            if (apart <= length(wanted) / 2) print apart, $0
        }' |
        sort -n | head -n "$NEAREST" | sed 's/^[0-9]* //' | paste -s -d ' ' -
}

# Prints the slowest classes, the failures and the totals, and exits. $1: Maven's exit code, which is not 0 when
# something did not compile, is not formatted, or has no tests.
summarize() {
    classes=$(read_reports)
    echo
    echo "slowest test classes:"
    printf '%s\n' "$classes" | sort -k 2 -rn | head -n "$SLOWEST" | awk 'NF { printf "%8.1f s  %s\n", $2, $1 }'
    find . -path '*/target/surefire-reports/*' | sort | while IFS= read -r report; do
        case $report in
            *.txt) print_failures "$report" ;;
            *.xml) print_unstable "$report" ;;
        esac
    done
    # shellcheck disable=SC2046 # three numbers
    set -- "$1" $(printf '%s\n' "$classes" |
        awk '{ run += $3; failed += $4; skipped += $5 } END { print run - failed - skipped, failed + 0, skipped + 0 }')
    if [ "$4" -gt 0 ]; then
        echo "skipped: $4, each for something that this machine lacks (a failure with SLUICE_REQUIRE_PEERS=true)"
    fi
    if [ "$1" -ne 0 ]; then
        echo "Maven ended with exit code $1; its errors are above."
    elif [ "$2" -eq 0 ] && [ "$3" -eq 0 ]; then
        echo "No test ran${test_classes:+; is there a test method of the name in $test_classes?}"
    fi
    echo "$2 passed, $3 failed"
    [ "$1" -eq 0 ] && [ "$3" -eq 0 ] && [ "$2" -gt 0 ]
    exit
}

# Prints "class seconds run failed skipped" for each report; the counts are attributes of its first element.
read_reports() {
    find . -path '*/target/surefire-reports/TEST-*.xml' -exec sed -n '/<testsuite /{p;q;}' {} \; |
        awk '
            function attribute(name) {
                if (!match($0, " " name "=\"[^\"]*\"")) return 0
                return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
            }
            {
                seconds = attribute("time")
                gsub(",", "", seconds)
                print attribute("name"), seconds, attribute("tests"), attribute("errors") + attribute("failures"),
                    attribute("skipped")
            }'
}

# Prints each test of a report that failed, then passed, and its message: with surefire.rerunFailingTestsCount only.
print_unstable() {
    awk '
        function attribute(name) {
            if (!match($0, " " name "=\"[^\"]*\"")) return ""
            return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
        }
        /<testcase / { test = attribute("classname") "." attribute("name") }
        /<flaky(Failure|Error)/ { print "unstable: " test ": " attribute("message") }' "$1"
}

# Prints each failed test of a report, the first lines of its message, and where it failed in a class of ours.
print_failures() {
    awk -v report="$1" '
        /<<< (FAILURE|ERROR)!/ && / -- Time elapsed: / {
            test = $0
            sub(/ -- Time elapsed: .*/, "", test)
            print "failed: " test " (" report ")"
            lines = 3
            frames = 2
            next
        }
        lines > 0 && !/^\tat / && NF { print "    " $0; lines-- }
        /^\tat / { lines = 0 }
        frames > 0 && /^\tat .*dev\.sluice\./ { print "    " $0; frames-- }' "$1"
}
