package dev.sluice.transfer.mount;

import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.FuseMachine;
import dev.sluice.transfer.export.ExportSettings;
import dev.sluice.transfer.export.Exporting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A directory, exported and mounted over loopback in this process. */
final class Mounting implements AutoCloseable {
    private static final Path MOUNTS = Path.of("/proc/self/mounts");

    final Path served;
    final Path mounted;
    final Exporting exporting;
    final Mount mount;

    /** The reasons for which the peer was lost. */
    final BlockingQueue<IOException> losses = new LinkedBlockingQueue<>();

    private Mounting(Path served, Path mounted, Exporting exporting, MountSettings settings) throws IOException {
        this.served = served;
        this.mounted = mounted;
        this.exporting = exporting;
        this.mount = Mount.open(exporting.connect(settings.channel()), "test", mounted, settings, losses::add);
    }

    static Mounting open(Path directory) throws IOException {
        return open(directory, ExportSettings.READ_WRITE, MountSettings.DEFAULT);
    }

    static Mounting open(Path directory, ExportSettings exported, MountSettings settings) throws IOException {
        Path served = Files.createDirectories(directory.resolve("served"));
        return open(directory, Exporting.of(served, exported), settings);
    }

    static Mounting open(Path directory, Exporting exporting, MountSettings settings) throws IOException {
        FuseMachine.require();
        Path served = Files.createDirectories(directory.resolve("served"));
        Path mounted = Files.createDirectories(directory.resolve("mounted"));
        return new Mounting(served, mounted, exporting, settings);
    }

    /** Runs a shell script in the mounted directory; fails unless it succeeds. */
    String shell(String script) {
        ForeignResult result = ForeignProgram.required("sh", "dash")
                .command("-euc", "cd '" + mounted + "'\n" + script)
                .run();
        if (result.exitCode() != 0) {
            throw new AssertionError(result.toString() + result.errors());
        }
        return result.output();
    }

    boolean isMounted() throws IOException {
        List<String> lines = Files.readAllLines(MOUNTS);
        return lines.stream().anyMatch(line -> line.contains(" " + mounted + " fuse.sluice "));
    }

    @Override
    public void close() {
        mount.close();
        exporting.close();
    }
}
