package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** File systems and permissions that refuse. */
@Timeout(120)
final class TargetRefusalTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String[] WITHOUT_PRIVILEGES = {
        "setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner,-chown", "--"
    };

    @TempDir
    Path directory;

    private Path source;
    private Path target;

    @BeforeEach
    void makeDirectories() throws IOException {
        source = Files.createDirectory(directory.resolve("source"));
        target = Files.createDirectory(directory.resolve("target"));
        Assumptions.assumeTrue(
                Trees.shell(directory, "id -u").equals("0\n"), "only root mounts file systems and drops privileges");
    }

    @Test
    void resumesWhenSpaceWasMadeOnAFullDisk() throws IOException {
        Trees.write(source.resolve("a first"), Trees.random(300_000, 1));
        Trees.write(source.resolve("large"), Trees.random(1_500_000, 2));
        String mounted = Trees.shell(target, "mount -t tmpfs -o size=1m tmpfs . 2>&1 || true");
        Assumptions.assumeTrue(mounted.isEmpty(), "mounting is not permitted here: " + mounted);
        try {
            assertThatThrownBy(() -> Trees.pull(source, target, ReceiverOptions.DEFAULT))
                    .isInstanceOfSatisfying(TransferException.class, e -> {
                        assertThat(e.failure()).isEqualTo(TransferFailure.DISK_FULL);
                        assertThat(e).hasMessageContaining("repeat the command to resume");
                    });
            assertThat(target.resolve("large")).doesNotExist();
            Trees.shell(directory, "mount -o remount,size=8m target");
            Trees.Result rest = Trees.pull(source, target, ReceiverOptions.DEFAULT);
            assertThat(rest.sent()).isLessThan(1_800_000);
            assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
        } finally {
            Trees.shell(directory, "umount target");
        }
    }

    @Test
    void reportsATargetThatIsMountedReadOnly() throws IOException {
        Trees.write(source.resolve("file"), Trees.random(300_000, 1));
        String mounted = Trees.shell(target, "mount -t tmpfs -o ro tmpfs . 2>&1 || true");
        Assumptions.assumeTrue(mounted.isEmpty(), "mounting is not permitted here: " + mounted);
        try {
            assertThatThrownBy(() -> Trees.pull(source, target, ReceiverOptions.DEFAULT))
                    .isInstanceOfSatisfying(TransferException.class, e -> {
                        assertThat(e.failure()).isEqualTo(TransferFailure.READ_ONLY);
                        assertThat(e).hasMessageContaining("file system is read-only");
                    });
        } finally {
            Trees.shell(directory, "umount target");
        }
    }

    @Test
    void reportsWhatPermissionsDenyOnBothSides() throws IOException {
        ForeignProgram.required("setpriv", "util-linux");
        Path key = directory.resolve("key");
        OwnKey.loadOrCreate(key, OwnKeyType.ED25519).close();
        Trees.shell(
                source,
                "echo x > fine; echo x > secret; mkdir closed theirs; echo x > closed/inside; echo x > theirs/new;"
                        + " chmod 000 secret closed");
        Trees.shell(target, "mkdir theirs; chown 65534 theirs; chmod 755 theirs");
        try (RunningProgram server = SideProcess.source(source, key, WITHOUT_PRIVILEGES);
                RunningProgram client =
                        SideProcess.target(target, key, KilledSideTest.addressOf(server), WITHOUT_PRIVILEGES)) {
            client.awaitOutput("received ", LIMIT);
            assertThat(client.output().lines().filter(line -> line.startsWith("failed ")))
                    .contains(
                            "failed secret PERMISSION_DENIED",
                            "failed closed PERMISSION_DENIED",
                            "failed theirs/new PERMISSION_DENIED");
        }
        assertThat(target.resolve("fine")).hasContent("x\n");
        assertThat(Trees.shell(target, "find . -name '.sluice*' -o -name secret"))
                .isEmpty();
    }
}
