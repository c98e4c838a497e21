# shellcheck shell=sh
# Makes packages of what is built. Sourced by ../../sluice; uses $home and $jdk.

make_packages() {
    jdk=$jdk exec "$home/tools/package/make" "$@"
}
