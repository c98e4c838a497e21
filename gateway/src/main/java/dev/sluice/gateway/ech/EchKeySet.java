package dev.sluice.gateway.ech;

import dev.sluice.config.model.EchConfig;
import dev.sluice.ffi.openssl.EchStore;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.gateway.outcome.GatewayStartException;
import dev.sluice.gateway.tickets.PrivateFile;
import dev.sluice.tls.ech.EchKeyRing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one directory: the ring that contexts use, its refresh and rotation. Any thread may call it; {@link
 * #refresh} reads files.
 */
final class EchKeySet implements AutoCloseable {
    /** A new key has another number than those in use, after at most so many attempts: there are 256 numbers. */
    private static final int ATTEMPTS_MAX = 64;

    private final EchConfig config;
    private final EchDirectory directory;
    private final InstantSource clock;
    private final EchLog log;
    private final EchKeyRing ring = new EchKeyRing();
    private List<Stamp> stamps = List.of();
    private volatile @Nullable EchStatus status;
    private @Nullable String problem;
    private @Nullable Exception cause;
    private boolean closed;
    private volatile long failures;

    EchKeySet(EchConfig config, InstantSource clock, EchLog log) {
        this.config = config;
        this.directory = new EchDirectory(config.directory());
        this.clock = clock;
        this.log = log;
    }

    /** The version of a file that was read. */
    private record Stamp(Path file, Instant modified, long bytes) {}

    EchKeyRing ring() {
        return ring;
    }

    /** Returns the status of the keys; null as long as there are none. */
    @Nullable
    EchStatus status() {
        return status;
    }

    /** Returns the number of failed refreshes. */
    long failures() {
        return failures;
    }

    /** Returns the exception for a start without keys. */
    synchronized GatewayStartException notStarted() {
        return new GatewayStartException(String.valueOf(problem), Objects.requireNonNull(cause));
    }

    /**
     * Rotates if it is time, and installs the keys if their files have changed, also where a rotation fails. A failure
     * leaves the current keys.
     */
    synchronized void refresh() {
        if (closed) {
            return;
        }
        Exception notRotated = config.rotates() ? failureOf(this::rotate) : null;
        Exception notInstalled = failureOf(this::install);
        Exception failure = notRotated == null ? notInstalled : notRotated;
        if (failure != null) {
            report(failure);
            return;
        }
        if (problem != null) {
            log.info("ech: keys of " + directory + " are refreshed again");
        }
        problem = null;
    }

    /** A part of a refresh. */
    @FunctionalInterface
    private interface Step {
        void take() throws IOException;
    }

    private static @Nullable Exception failureOf(Step step) {
        try {
            step.take();
            return null;
        } catch (IOException | RuntimeException e) {
            return e;
        }
    }

    private synchronized void report(Exception failure) {
        failures++;
        cause = failure;
        String message = "ech: keys of " + directory + " not refreshed (" + reason(failure) + "); "
                + (status == null ? "there are none yet" : "the current keys stay");
        if (!message.equals(problem)) {
            log.warn(message);
        }
        problem = message;
    }

    private static String reason(Exception e) {
        return e instanceof IOException && e.getClass() != IOException.class
                ? e.getClass().getSimpleName() + " " + e.getMessage()
                : String.valueOf(e.getMessage());
    }

    /** Makes a key if the newest is too old or for another name, then deletes our files beyond those that are kept. */
    private void rotate() throws IOException {
        List<Path> files = directory.files();
        if (files.isEmpty() || isOutdated(files.getLast())) {
            make(used(files));
            files = directory.files();
        }
        for (Path file : files.subList(0, Math.max(0, files.size() - config.keep()))) {
            if (EchDirectory.isMade(file)) {
                Files.deleteIfExists(file); // another gateway may have deleted it
            }
        }
    }

    private boolean isOutdated(Path newest) throws IOException {
        Duration age = Duration.between(EchDirectory.time(newest), clock.instant());
        if (age.compareTo(config.rotate()) >= 0) {
            return true;
        }
        EchKeyFile key = EchKeyFile.read(newest);
        key.wipe();
        return !key.publicName().equals(config.publicName());
    }

    private static Set<Integer> used(List<Path> files) throws IOException {
        List<EchKeyFile> read = new ArrayList<>();
        try {
            for (Path file : files) {
                read.add(EchKeyFile.read(file));
            }
            return read.stream().map(EchKeyFile::configId).collect(Collectors.toSet());
        } finally {
            read.forEach(EchKeyFile::wipe);
        }
    }

    private void make(Set<Integer> used) throws IOException {
        Path file = directory.fileOf(clock.instant());
        for (int i = 0; i < ATTEMPTS_MAX; i++) {
            byte[] pem;
            try (EchStore store = EchStore.empty()) {
                store.generate(config.publicName());
                pem = store.lastPem();
            }
            try {
                if (!used.contains(EchKeyFile.of(file, pem).configId())) {
                    write(file, pem);
                    return;
                }
            } finally {
                Arrays.fill(pem, (byte) 0);
            }
        }
        throw new IOException("no free configuration number in " + directory + "; delete old files");
    }

    private void write(Path file, byte[] pem) throws IOException {
        Path hidden = file.resolveSibling(
                "." + file.getFileName() + "." + ProcessHandle.current().pid());
        Files.deleteIfExists(hidden);
        PrivateFile.create(hidden, ByteBuffer.wrap(pem));
        try {
            Files.createLink(file, hidden); // in one step, and never over another gateway's
        } catch (FileAlreadyExistsException made) {
            return;
        } finally {
            Files.deleteIfExists(hidden);
        }
        log.info("ech: key " + file + " made for " + config.publicName() + "; publish it, see sluice ech");
    }

    private void install() throws IOException {
        List<Path> files = directory.files();
        if (files.isEmpty()) {
            throw new IOException("it holds no file *.pem");
        }
        List<Path> kept = files.subList(Math.max(0, files.size() - config.keep()), files.size());
        List<Stamp> now = new ArrayList<>();
        for (Path file : kept) {
            now.add(new Stamp(file, Files.getLastModifiedTime(file).toInstant(), Files.size(file)));
        }
        if (now.equals(stamps)) {
            return;
        }
        List<EchKeyFile> keys = new ArrayList<>();
        try {
            for (Path file : kept) {
                keys.add(EchKeyFile.read(file));
            }
            install(keys);
            stamps = now;
        } finally {
            keys.forEach(EchKeyFile::wipe);
        }
    }

    /** Installs keys, the oldest first; the newest is sent to clients with an outdated one. */
    private void install(List<EchKeyFile> keys) throws IOException {
        EchKeyFile newest = keys.getLast();
        EchStore store = EchStore.empty();
        try {
            add(store, newest, true);
            for (EchKeyFile older : keys.subList(0, keys.size() - 1).reversed()) { // found by number: the first counts
                add(store, older, false);
            }
            ring.install(store);
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
        status = new EchStatus(
                config.directory(),
                newest.publicName(),
                newest.configuration(),
                EchDirectory.time(newest.file()),
                keys.size());
        if (!newest.publicName().equals(config.publicName())) {
            log.warn("ech: " + newest.file() + " is for " + newest.publicName() + ", but public-name is "
                    + config.publicName() + "; make a key for that name");
        }
        log.info("ech: " + keys.size() + " keys of " + directory + " in use, the newest is "
                + newest.file().getFileName());
    }

    private static void add(EchStore store, EchKeyFile key, boolean retried) throws IOException {
        try {
            store.add(key.pem(), retried);
        } catch (OpenSslException e) {
            throw new IOException(key.file() + " is no ECH key file (" + e.getMessage() + "); see openssl ech", e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        ring.close();
    }
}
