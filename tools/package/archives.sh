# shellcheck shell=sh
# Makes the archives: tar, deb, rpm. Sourced by make.

# A tree that runs wherever it is unpacked, with a layout that fits below /usr/local, too.
make_tar() {
    name=sluice-$version-linux-$machine
    rm -rf "$work/tar"
    cp -a "$tree/usr" "$work/tar"
    set_times "$work/tar"
    pack "$work/tar" "$out/$name.tar.gz" --transform "s|^\.|$name|S"
}

make_deb() {
    root=$work/deb
    rm -rf "$root"
    cp -a "$tree" "$root"
    # Where Debian's zsh looks.
    mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
    gzip -n -9 "$root/usr/share/doc/sluice/CHANGELOG.md"
    rm "$root/usr/share/doc/sluice/LICENSE" # every Debian has it
    mkdir "$root/DEBIAN"
    (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    echo /etc/sluice/sluice.yaml >"$root/DEBIAN/conffiles"
    bytes=$(find "$root/usr" "$root/etc" -type f -printf '%s\n' | awk '{ sum += $1 } END { print int(sum / 1024) }')
    sed -e "s|@VERSION@|$version|" -e "s|@MACHINE@|$debian_machine|" -e "s|@SIZE@|$bytes|" \
        "$parts/files/deb/control" >"$root/DEBIAN/control"
    for script in postinst prerm postrm; do
        install -m 755 "$parts/files/deb/$script" "$root/DEBIAN/$script"
    done
    set_times "$root"
    dpkg-deb --root-owner-group --threads-max=1 -Zzstd -z10 --build "$root" \
        "$out/sluice_${version}_$debian_machine.deb" >/dev/null
}

make_rpm() {
    mkdir -p "$work/rpm"
    rpmbuild -bb --quiet --target "$machine-linux" \
        --define "_topdir $work/rpm" --define "tree $tree" --define "sluice_version $version" \
        "$parts/files/sluice.spec" >"$work/rpm.log" 2>&1 || {
        cat "$work/rpm.log" >&2
        die "rpmbuild failed; its errors are above"
    }
    mv "$work/rpm/RPMS/$machine"/*.rpm "$out/"
}
