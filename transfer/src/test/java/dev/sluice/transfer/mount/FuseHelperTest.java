package dev.sluice.transfer.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.testkit.FuseMachine;
import dev.sluice.transfer.export.Export;
import dev.sluice.transfer.export.ExportSettings;
import dev.sluice.transfer.export.Exporting;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mounts by fusermount3, and mounts that are refused. */
@Timeout(60)
class FuseHelperTest {
    private static final Path MOUNTS = Path.of("/proc/self/mounts");

    @TempDir
    Path directory = Path.of("");

    private Mount open(Exporting exporting, Path mounted, FuseDevice.Way way) throws Exception {
        MountSettings settings = MountSettings.DEFAULT;
        return Mount.open(exporting.connect(settings.channel()), "host:1,2", mounted, settings, _ -> {}, way);
    }

    @Test
    void mountsAndUnmounts() throws Exception {
        FuseMachine.requireHelper();
        Path served = Files.createDirectory(directory.resolve("served"));
        Path mounted = Files.createDirectory(directory.resolve("mounted"));
        Files.writeString(served.resolve("file"), "contents");
        try (Exporting exporting = Exporting.of(served, ExportSettings.READ_WRITE);
                Mount mount = open(exporting, mounted, FuseDevice.Way.HELPER)) {
            assertThat(mount.isReadOnly()).isFalse();
            assertThat(mounted.resolve("file")).hasContent("contents");
            Files.writeString(mounted.resolve("new"), "written");
            assertThat(Files.readString(MOUNTS)).contains("host:1,2 " + mounted + " fuse.sluice rw,nosuid,nodev");
        }
        assertThat(served.resolve("new")).hasContent("written");
        assertThat(mounted).isEmptyDirectory();
        assertThat(Files.readString(MOUNTS)).doesNotContain(mounted.toString());
    }

    @Test
    void mountsReadOnlyWhatThePeerDoesNotLetWrite() throws Exception {
        FuseMachine.requireHelper();
        Path mounted = Files.createDirectory(directory.resolve("mounted"));
        try (Exporting exporting = Exporting.of(directory, ExportSettings.READ_ONLY);
                Mount mount = open(exporting, mounted, FuseDevice.Way.HELPER)) {
            assertThat(mount.isReadOnly()).isTrue();
            assertThat(Files.readString(MOUNTS)).contains(mounted + " fuse.sluice ro,");
        }
    }

    @Test
    void namesThePackageOfAHelperThatIsNotInstalled() {
        assertThatThrownBy(() -> new FuseHelper("no-such-program-of-sluice").mount("rw", directory))
                .isInstanceOf(MountException.class)
                .hasMessageContaining("no-such-program-of-sluice")
                .hasMessageContaining("apt-get install fuse3");
    }

    @Test
    void reportsARefusalOfTheHelper() {
        FuseMachine.requireHelper();
        assertThatThrownBy(() -> FuseHelper.INSTALLED.mount("rw", directory.resolve("absent")))
                .isInstanceOf(MountException.class)
                .hasMessageContaining("refused to mount on " + directory.resolve("absent"));
    }

    @Test
    void reportsAPeerThatRefuses() throws Exception {
        try (Exporting exporting = Exporting.by(Export::refuse)) {
            assertThatThrownBy(() -> open(exporting, directory, FuseDevice.Way.SYSTEM_CALL))
                    .isInstanceOf(MountException.class)
                    .hasMessageContaining("does not permit it (" + Errno.describe(Errno.EACCES));
            assertThat(exporting.end()).isEqualTo("ended");
        }
    }

    @Test
    void reportsAPeerThatKnowsNoMounts() throws Exception {
        try (Exporting exporting = Exporting.by(channel -> channel.finish())) {
            assertThatThrownBy(() -> open(exporting, directory, FuseDevice.Way.SYSTEM_CALL))
                    .isInstanceOf(MountException.class)
                    .hasMessageContaining("serves no mounts");
        }
    }
}
