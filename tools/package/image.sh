# shellcheck shell=sh
# Makes the image for containers, without a daemon: an OCI layout in a tar, which docker load reads, too. Sourced by
# make.
#
# Layers: the libraries of a Debian, unpacked from its packages; Sluice; the directories of its user; the AOT caches.
# Two builds share the bytes of all but the last: what a training run records depends on its timing. A container's
# file system is read-only and new at each start, so the caches have to be in the image.

readonly IMAGE_SUITE=trixie # for OpenSSL 3.5
# busybox: a shell and the few programs that the launcher and a pause before SIGTERM take.
readonly IMAGE_PACKAGES='base-files libc6 zlib1g libzstd1 libssl3t64 ca-certificates busybox-static'
readonly IMAGE_USER=65532
readonly MIRROR=http://deb.debian.org

make_image() {
    image=$work/image
    mkdir -p "$image/blobs/sha256"
    make_base_layer
    make_program_layer
    make_state_layer
    make_cache_layer
    write_image_documents
    tar --create --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
        --file "$out/sluice-$version-image-$machine.tar" --directory "$image" \
        oci-layout index.json manifest.json blobs
}

make_base_layer() {
    base=$work/base
    mkdir -p "$base" "$work/debs"
    fetch_packages
    # base-files first: it has the links from /lib to /usr/lib, through which others unpack.
    for name in $IMAGE_PACKAGES; do
        deb=$(echo "$work/debs/${name}_"*.deb)
        dpkg-deb --extract "$deb" "$base"
        # Where scanners look for the packages of images that have no dpkg.
        mkdir -p "$base/var/lib/dpkg/status.d"
        dpkg-deb --field "$deb" >"$base/var/lib/dpkg/status.d/$name"
    done
    find "$base/usr/share/doc" \( -type f -o -type l \) ! -name copyright -delete
    rm -rf "$base/usr/share/man" "$base/usr/share/locale" "$base/usr/share/lintian"
    for applet in $("$base/usr/bin/busybox" --list); do
        [ -e "$base/usr/bin/$applet" ] || ln -s busybox "$base/usr/bin/$applet"
    done
    write_system_files
    pack "$base" "$work/base.tar.gz"
    add_layer "$work/base.tar.gz" "Debian $IMAGE_SUITE: $IMAGE_PACKAGES"
}

# By an apt with its own lists, so that the machine's release does not matter.
fetch_packages() {
    apt=$work/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    : >"$apt/status"
    {
        echo "deb $MIRROR/debian $IMAGE_SUITE main"
        echo "deb $MIRROR/debian $IMAGE_SUITE-updates main"
        echo "deb $MIRROR/debian-security $IMAGE_SUITE-security main"
    } >"$apt/sources.list"
    set -- -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$apt/lists" -o Dir::State::Status="$apt/status" -o Dir::Cache="$apt/cache" \
        -o APT::Architecture="$debian_machine" -o APT::Architectures="$debian_machine" -o APT::Sandbox::User=root
    # shellcheck disable=SC2086 # several names
    (cd "$work/debs" && apt-get "$@" update && apt-get "$@" download $IMAGE_PACKAGES) >"$work/apt.log" 2>&1 || {
        cat "$work/apt.log" >&2
        die "Debian's packages for the image could not be fetched; apt's errors are above"
    }
}

# What the packages' scripts would have made, and the user.
write_system_files() {
    mkdir -p "$base/etc/ssl/certs" "$base/usr/lib/ssl" "$base/tmp"
    chmod 1777 "$base/tmp"
    find "$base/usr/share/ca-certificates/mozilla" -name '*.crt' | sort | xargs cat \
        >"$base/etc/ssl/certs/ca-certificates.crt"
    ln -s /etc/ssl/certs "$base/usr/lib/ssl/certs"
    ln -s /etc/ssl/certs/ca-certificates.crt "$base/usr/lib/ssl/cert.pem"
    printf '%s\n' "root:x:0:0:root:/:/sbin/nologin" \
        "sluice:x:$IMAGE_USER:$IMAGE_USER:sluice:/var/lib/sluice:/sbin/nologin" >"$base/etc/passwd"
    printf '%s\n' "root:x:0:" "sluice:x:$IMAGE_USER:" >"$base/etc/group"
}

make_program_layer() {
    program=$work/program
    mkdir -p "$program/usr/share/doc"
    cp -a "$tree/usr/bin" "$tree/usr/lib" "$program/usr/"
    cp -a "$tree/usr/share/doc/sluice" "$program/usr/share/doc/"
    rm -rf "$program/usr/lib/systemd"
    pack "$program" "$work/program.tar.gz"
    add_layer "$work/program.tar.gz" "Sluice $version"
}

make_state_layer() {
    state=$work/state
    install -d -m 0700 "$state/var/lib/sluice" "$state/run/sluice"
    tar --create --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner="$IMAGE_USER" --group="$IMAGE_USER" \
        --numeric-owner --no-recursion --directory "$state" ./run/sluice ./var/lib/sluice |
        gzip -n -9 >"$work/state.tar.gz"
    add_layer "$work/state.tar.gz" "directories of its user"
}

make_cache_layer() {
    "$tree/usr/lib/sluice/prepare" "$work/cache/usr/lib/sluice/aot" || die "the AOT caches could not be made"
    pack "$work/cache" "$work/cache.tar.gz"
    add_layer "$work/cache.tar.gz" "AOT caches"
}

# Adds compressed tar $1 as the next layer, which $2 describes.
layers='' diffs='' history='' layer_files=''
add_layer() {
    add_blob "$1"
    layers="$layers${layers:+,}$(descriptor application/vnd.oci.image.layer.v1.tar+gzip)"
    layer_files="$layer_files${layer_files:+,}\"blobs/sha256/$digest\""
    diffs="$diffs${diffs:+,}\"sha256:$(gzip -d -c "$1" | sha256sum | cut -d ' ' -f 1)\""
    history="$history${history:+,}{\"created\":\"$timestamp\",\"created_by\":\"tools/package/make\",\"comment\":\"$2\"}"
}

# Stores file $1 by its digest; sets $digest and $size.
add_blob() {
    digest=$(sha256sum "$1" | cut -d ' ' -f 1)
    size=$(stat -c %s "$1")
    cp "$1" "$image/blobs/sha256/$digest"
}

# Of the blob that was added last, with media type $1.
descriptor() {
    printf '{"mediaType":"%s","digest":"sha256:%s","size":%s' "$1" "$digest" "$size"
    [ $# -lt 2 ] || printf ',%s' "$2"
    printf '}'
}

write_image_documents() {
    cat >"$work/config.json" <<JSON
{"created":"$timestamp","architecture":"$debian_machine","os":"linux",
"config":{"User":"$IMAGE_USER:$IMAGE_USER","ExposedPorts":{"8443/tcp":{}},
"Env":["PATH=/usr/bin:/bin","SLUICE_STATE_DIR=/var/lib/sluice"],
"Entrypoint":["/usr/bin/sluice"],"Cmd":["gateway","--config","/etc/sluice/sluice.yaml"],
"WorkingDir":"/","StopSignal":"SIGTERM",
"Labels":{"org.opencontainers.image.title":"Sluice","org.opencontainers.image.version":"$version",
"org.opencontainers.image.description":"A gateway that terminates TLS",
"org.opencontainers.image.licenses":"Apache-2.0"}},
"rootfs":{"type":"layers","diff_ids":[$diffs]},"history":[$history]}
JSON
    add_blob "$work/config.json"
    configuration=$(descriptor application/vnd.oci.image.config.v1+json)
    printf '[{"Config":"blobs/sha256/%s","RepoTags":["sluice:%s"],"Layers":[%s]}]\n' "$digest" "$version" \
        "$layer_files" >"$image/manifest.json"
    cat >"$work/manifest.json" <<JSON
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":$configuration,"layers":[$layers]}
JSON
    add_blob "$work/manifest.json"
    cat >"$image/index.json" <<JSON
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[$(
        descriptor application/vnd.oci.image.manifest.v1+json \
            "\"annotations\":{\"org.opencontainers.image.ref.name\":\"$version\"}"
    )]}
JSON
    printf '{"imageLayoutVersion":"1.0.0"}\n' >"$image/oci-layout"
}
