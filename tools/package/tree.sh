# shellcheck shell=sh
# Makes the tree that packages install. Sourced by make.

# What the commands and the libraries on the class path need of the JDK, besides what Sluice's modules require: figures
# of the process, directories (Bouncy Castle's references), and jcmd and jfr for whoever runs a gateway.
readonly MODULES=dev.sluice.cli,jdk.management,java.naming,jdk.jcmd

# Libraries of a runtime that every Linux with glibc has; others would have to be packages that ours depends on.
readonly COMMON_LIBRARIES='ld-linux.*|libc|libdl|libm|libpthread|librt'

make_tree() {
    say "a Java of its own …"
    mkdir -p "$tree/usr/bin" "$tree/usr/lib/sluice"
    link_runtime
    check_libraries
    copy_programs
    copy_documents
    write_manual
    set_times "$tree"
}

# Sluice's modules are linked into the runtime, rather than on a module path: AOT caches then hold wherever the tree is.
link_runtime() {
    "$java_home/bin/jlink" --module-path "$built/lib" --add-modules "$MODULES" --output "$tree/usr/lib/sluice/runtime" \
        --strip-debug --no-header-files --no-man-pages --vm server --compress=zip-0 ||
        die "jlink failed; its errors are above"
}

check_libraries() {
    strange=$(find "$tree/usr/lib/sluice/runtime" -type f \( -name '*.so' -o -path '*/bin/*' \) -exec readelf -d {} + |
        sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u |
        grep -Ev "^($COMMON_LIBRARIES)\.so|^lib(java|jli|jvm|net)\.so" || :)
    [ -z "$strange" ] || die "the JDK in $java_home needs libraries that packages do not depend on: $strange" \
        "(it is a distribution's); set SLUICE_JAVA_HOME to one that brings them, such as Temurin"
}

copy_programs() {
    for directory in redis ocsp acme dns metrics; do
        cp -r "$built/$directory" "$tree/usr/lib/sluice/"
    done
    install -m 755 "$parts/files/sluice" "$tree/usr/bin/sluice"
    install -m 755 "$parts/files/prepare" "$tree/usr/lib/sluice/prepare"
    install -m 644 "$home/tools/launcher/jvm.sh" "$tree/usr/lib/sluice/jvm.sh"
    install -D -m 644 -t "$tree/usr/lib/systemd/system" "$home/deploy/systemd/sluice.service" \
        "$home/deploy/systemd/sluice.socket"
    install -D -m 644 "$parts/files/sluice.yaml" "$tree/etc/sluice/sluice.yaml"
    mkdir -p "$tree/etc/sluice/tls"
}

copy_documents() {
    documents=$tree/usr/share/doc/sluice
    install -D -m 644 -t "$documents" "$home/LICENSE" "$home/CHANGELOG.md" "$parts/files/copyright"
    install -D -m 644 -t "$documents/examples" "$parts/files/sluice.yaml" "$home/docs/sluice.schema.json" \
        "$home/deploy/apparmor/sluice-gateway"
    if $with_sbom; then
        write_sbom
        install -m 644 "$work/sluice.cdx.json" "$documents/sluice.cdx.json"
    fi
}

write_manual() {
    "$java_home/bin/java" --enable-native-access=dev.sluice.ffi --module-path "$built/lib" \
        --module dev.sluice.cli/dev.sluice.cli.manual.ManualWriter "$tree/usr/share" "${timestamp%T*}"
    gzip -n -9 "$tree"/usr/share/man/man1/*.1
}

# The SBOM in CycloneDX's form: the jars by their Maven coordinates, as the plugin for Maven lists them, and the JDK.
write_sbom() {
    (cd "$home" && JAVA_HOME=$java_home ./mvnw -B -ntp -q -pl .,cli -am package \
        org.cyclonedx:cyclonedx-maven-plugin:2.9.3:makeAggregateBom \
        -Dmaven.test.skip=true -Dcheckstyle.skip=true -DoutputFormat=json -DoutputName=sluice-bom \
        -DschemaVersion=1.6 -DincludeBomSerialNumber=false -DincludeTestScope=false \
        -DexcludeArtifactId=sluice-testkit,sluice-simulator >"$work/maven.log" 2>&1) || {
        cat "$work/maven.log" >&2
        die "the SBOM could not be made; Maven's errors are above"
    }
    java_version=$(sed -n 's/^JAVA_RUNTIME_VERSION="\(.*\)"$/\1/p' "$java_home/release")
    vendor=$(sed -n 's/^IMPLEMENTOR="\(.*\)"$/\1/p' "$java_home/release")
    awk -v version="$java_version" -v vendor="$vendor" '
        { print }
        /^  "components" : \[/ {
            print "    {"
            print "      \"type\" : \"platform\","
            print "      \"bom-ref\" : \"openjdk\","
            print "      \"name\" : \"OpenJDK\","
            print "      \"version\" : \"" version "\","
            print "      \"supplier\" : { \"name\" : \"" vendor "\" },"
            print "      \"licenses\" : [ { \"expression\" : \"GPL-2.0-only WITH Classpath-exception-2.0\" } ]"
            print "    },"
        }' "$home/target/sluice-bom.json" >"$work/sluice.cdx.json"
}
