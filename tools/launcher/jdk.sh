# shellcheck shell=sh
# Finds a JDK that is new enough. Sourced by ../../sluice; sets $jdk.

readonly REQUIRED_JDK=25

find_jdk() {
    if [ -n "${SLUICE_JAVA_HOME:-}" ]; then
        use_first_jdk_of "$SLUICE_JAVA_HOME" && return 0
        die "SLUICE_JAVA_HOME=$SLUICE_JAVA_HOME is not a JDK $REQUIRED_JDK or later (version found: $version);" \
            "point it at one, or unset it to have the usual places searched."
    fi
    use_first_jdk_of "${JAVA_HOME:-/nonexistent}" /usr/lib/jvm/* /opt/* /opt/*/* \
        "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/* /usr/local/* && return 0
    if java=$(command -v java); then
        java=$(readlink -f "$java")
        use_first_jdk_of "${java%/bin/java}" && return 0
    fi
    die_without_jdk
}

# Sets $jdk to the first directory of the arguments that holds a JDK new enough.
use_first_jdk_of() {
    for candidate; do
        read_jdk_version "$candidate"
        if [ "$version" -ge "$REQUIRED_JDK" ]; then
            jdk=$candidate
            return 0
        fi
    done
    return 1
}

# Sets $version to the feature version of the JDK in directory $1, and to 0 where there is none. Reads the release file:
# starting java only to ask it would take longer than all else that is done here.
read_jdk_version() {
    version=0
    if [ ! -x "$1/bin/javac" ] || [ ! -r "$1/release" ]; then
        return 0
    fi
    while IFS='=' read -r key value; do
        if [ "$key" = JAVA_VERSION ]; then
            value=${value#\"}
            version=${value%%[!0-9]*}
            version=${version:-0}
        fi
    done <"$1/release"
}

die_without_jdk() {
    die "no JDK $REQUIRED_JDK or later found
  Looked in SLUICE_JAVA_HOME, JAVA_HOME${JAVA_HOME:+ ($JAVA_HOME)}, /usr/lib/jvm, /opt, ~/.sdkman, ~/.jdks,
  /usr/local and PATH.
  Remedy, one of:
    apt-get install openjdk-$REQUIRED_JDK-jdk      on Debian or Ubuntu, where the distribution has it
    apt-get install temurin-$REQUIRED_JDK-jdk      from Eclipse Adoptium's package repository, where it has not
    dnf install java-$REQUIRED_JDK-openjdk-devel   on Fedora and its derivatives
    SLUICE_JAVA_HOME=/path/to/jdk    where it is installed elsewhere"
}
