package dev.sluice.bench.mount;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.process.Site;
import java.io.IOException;
import java.nio.file.Path;

/** The rows of the comparison. */
enum MountKind {
    LOCAL("local file system", Role.FLOOR),
    MOUNT("Sluice mount", Role.SUBJECT),
    SSHFS("sshfs", Role.PEER),
    /** The control of {@link #MOUNT}. */
    MOUNT_AGAIN("Sluice mount", Role.CONTROL);

    private final String title;
    private final Role role;

    MountKind(String title, Role role) {
        this.title = title;
        this.role = role;
    }

    Identity identity() {
        return role == Role.CONTROL ? Identity.controlOf(title) : Identity.of(title, role);
    }

    /**
     * Makes the served directory reachable; the caller closes the place.
     *
     * @param scratch an existing directory of this row's own
     */
    Place open(Path served, Path scratch, Site site) throws IOException, InterruptedException {
        return switch (this) {
            case LOCAL -> Place.local(served);
            case MOUNT, MOUNT_AGAIN -> SluicePlace.open(served, scratch, site);
            case SSHFS -> SshPlace.open(served, scratch);
        };
    }
}
