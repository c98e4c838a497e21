package dev.sluice.gateway.ocsp;

import dev.sluice.config.model.OcspConfig;
import dev.sluice.tls.certificate.StapleSlot;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Responses on disk, one file for each certificate, in DER as they came: {@code openssl ocsp -respin FILE -text} shows
 * them. A file's time of change is when it was fetched. What is read from here has to be verified like what comes from
 * the network. Trouble with the disk is told once, and costs nothing but that a restart has to fetch.
 *
 * <p>May be used from any thread, and by several processes.
 */
final class StapleFiles {
    private static final String SUFFIX = ".ocsp";
    private static final String UNFINISHED = ".new";

    private final @Nullable OcspConfig config;
    private final @Nullable Path directory;
    private final StapleLog log;
    private final AtomicBoolean swept = new AtomicBoolean();
    private final AtomicBoolean told = new AtomicBoolean();

    /** A response and when it was fetched. */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    record Kept(byte[] response, Instant fetched) {}

    /**
     * Creates a store of responses.
     *
     * @param config without a directory, or null: nothing is kept
     */
    StapleFiles(@Nullable OcspConfig config, StapleLog log) {
        this.config = config;
        this.directory = config == null ? null : config.directory();
        this.log = log;
    }

    /** Returns true when the files are kept as this configuration says. */
    boolean isFor(@Nullable OcspConfig other) {
        return config == null ? other == null : config.equals(other);
    }

    /**
     * A response that was fetched not longer ago than it may be kept; null: there is none.
     *
     * @param name of the certificate: letters and digits
     */
    @Nullable
    Kept load(String name, Instant now) {
        if (directory == null) {
            return null;
        }
        Path file = directory.resolve(name + SUFFIX);
        try {
            Instant fetched = Files.getLastModifiedTime(file).toInstant();
            boolean isUsable = Files.size(file) <= StapleSlot.MAX_BYTES && !isOver(fetched, now);
            return isUsable ? new Kept(Files.readAllBytes(file), fetched) : null;
        } catch (NoSuchFileException none) {
            return null;
        } catch (IOException e) {
            tell(e);
            return null;
        }
    }

    private boolean isOver(Instant fetched, Instant now) {
        return config == null || fetched.plus(config.keep()).isBefore(now);
    }

    /** Keeps a response: in one step, so that whoever reads sees this one or the one before, whole. */
    void save(String name, byte[] response, Instant fetched) {
        if (directory == null) {
            return;
        }
        try {
            Files.createDirectories(directory);
            Path fresh = Files.createTempFile(directory, name, UNFINISHED); // of mode 0600
            try {
                Files.write(fresh, response);
                Files.setLastModifiedTime(fresh, FileTime.from(fetched));
                Files.move(fresh, directory.resolve(name + SUFFIX), StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            tell(e);
        }
    }

    /** Keeps a certificate's response no longer. */
    void delete(String name) {
        if (directory == null) {
            return;
        }
        try {
            Files.deleteIfExists(directory.resolve(name + SUFFIX));
        } catch (IOException e) {
            tell(e);
        }
    }

    /**
     * Removes what nobody can use any more, such as the responses of certificates that were replaced. The first call
     * does.
     */
    void sweepOnce(Instant now) {
        if (directory == null || !swept.compareAndSet(false, true) || !Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(directory, "*{" + SUFFIX + "," + UNFINISHED + "}")) {
            for (Path file : files) {
                if (isOver(Files.getLastModifiedTime(file).toInstant(), now)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            tell(e);
        }
    }

    private void tell(IOException e) {
        if (told.compareAndSet(false, true)) {
            log.warn("OCSP responses cannot be kept in " + directory + " (" + e
                    + "), so that a restart has to fetch them;"
                    + " let user " + System.getProperty("user.name")
                    + " write there, or name another directory by ocsp: {directory: PATH}");
        }
    }
}
