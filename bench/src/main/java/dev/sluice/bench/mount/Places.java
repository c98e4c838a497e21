package dev.sluice.bench.mount;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/** The served directory and the places of all rows, in memory where the machine has a file system there. */
final class Places implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Site site;
    private final Path scratch;
    private final Path served;
    private final Map<MountKind, Place> places = new EnumMap<>(MountKind.class);

    Places(Site site) {
        this.site = site;
        try {
            Path parent = Files.isWritable(MEMORY) ? MEMORY : site.directory();
            this.scratch = Files.createTempDirectory(parent, "sluice-mount-");
            this.served = Files.createDirectory(scratch.resolve("served"));
        } catch (IOException e) {
            throw new BenchException("cannot create a directory: " + e.getMessage(), e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "unmount"));
    }

    /** Returns the directory whose files all places have. */
    Path served() {
        return served;
    }

    /** Returns the place of a row; opened on first use. */
    synchronized Place of(MountKind kind) throws IOException, InterruptedException {
        Place place = places.get(kind);
        if (place == null) {
            place = kind.open(served, Files.createDirectory(scratch.resolve(kind.name())), site);
            places.put(kind, place);
        }
        return place;
    }

    /** Unmounts everything, then removes the directory. Idempotent; also done when the process is ended. */
    @Override
    public synchronized void close() {
        places.values().forEach(Place::close);
        places.clear();
        if (Files.notExists(scratch)) {
            return;
        }
        try (Stream<Path> files = Files.walk(scratch)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("left behind: " + scratch + " (" + e.getMessage() + ")");
        }
    }
}
