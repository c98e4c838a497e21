# shellcheck shell=sh
# Makes the Javadoc site. Sourced by ../../sluice; uses $home, $jdk and $dist.

# The JDK's own tool, on the modules as they are in the tree: it needs no Maven plugin, and reads the libraries from
# what was built. The commands and the benchmarks export nothing to programmers.
make_javadoc() {
    site="$home/target/javadoc"
    set --
    modules=
    for description in "$home"/*/src/main/java/module-info.java; do
        source=${description%/module-info.java}
        name=$(sed -n 's/^\(open \)\{0,1\}module \([a-z.]*\) {.*/\2/p' "$description")
        case $name in
            *.cli | *.bench) continue ;;
        esac
        set -- "$@" --module-source-path "$name=$source"
        modules=${modules:+$modules,}$name
    done
    rm -rf "$site"
    "$jdk/bin/javadoc" -quiet -Xdoclint:all,-missing -Xmaxwarns 1000 -d "$site" -doctitle Sluice -windowtitle Sluice \
        --module-path "$(libraries)" "$@" --module "$modules" || die "javadoc failed; its errors are above."
    echo "$site/index.html"
}

# The jars that modules require, without Sluice's own, which are read as sources.
libraries() {
    find "$home"/*/target/dist -name '*.jar' ! -name 'sluice-*' ! -name 'netty-*' | tr '\n' ':'
}
