package dev.sluice.gateway.tickets;

import dev.sluice.gateway.log.PlainCause;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file in which one node keeps its ticket keys from one start to the next: a {@link TicketKeyDocument}, sealed where
 * there is a fleet key, and readable by its owner only in any case.
 */
final class StateFile implements AutoCloseable {
    private static final int BYTES_MAX = 64 * 1024;

    private final Path file;
    private final @Nullable FleetKey key;

    /**
     * Creates a state file.
     *
     * @param key seals the file, and is closed with this; null: it is not sealed
     */
    StateFile(Path file, @Nullable FleetKey key) {
        this.file = file;
        this.key = key;
    }

    /**
     * Reads it.
     *
     * @return the caller owns its keys; null: there is no file yet
     * @throws TicketKeyException naming value, cause and remedy
     */
    @Nullable
    TicketKeyDocument load() throws TicketKeyException {
        try {
            if (!Files.exists(file)) {
                return null;
            }
            if (key == null) {
                requireOwn(file);
            }
            try (SecretMemory content = SecretMemory.read(file, BYTES_MAX)) {
                return decode(content.segment());
            }
        } catch (IOException e) {
            throw new TicketKeyException(
                    "ticket keys of " + file + " cannot be read (" + PlainCause.of(e) + "); let user "
                            + System.getProperty("user.name") + " read it",
                    e);
        }
    }

    /**
     * A file that is not sealed, if it is there, must not be open to other users.
     *
     * @throws TicketKeyException when it is
     */
    static void requireOwn(Path file) throws TicketKeyException {
        try {
            if (Files.exists(file) && PrivateFile.isOpenToOthers(file)) {
                throw new TicketKeyException(
                        "ticket keys of " + file + " not used: users other than its owner may read or"
                                + " write them; delete it if somebody may have, else chmod 600 it, or seal it by a"
                                + " fleet-key");
            }
        } catch (IOException e) {
            throw new TicketKeyException(
                    "ticket keys of " + file + " cannot be looked at (" + PlainCause.of(e) + "); let user "
                            + System.getProperty("user.name") + " read its directory",
                    e);
        }
    }

    private TicketKeyDocument decode(MemorySegment content) throws TicketKeyException {
        if (key != null) {
            return key.open(sealedBytes(content), file.toString());
        }
        try {
            return TicketKeyDocument.decode(content);
        } catch (TicketKeyException e) {
            throw new TicketKeyException(
                    "ticket keys of " + file + " not usable: " + e.getMessage()
                            + "; name another file, or the fleet-key that it is sealed under",
                    e);
        }
    }

    private static byte[] sealedBytes(MemorySegment content) {
        byte[] bytes = new byte[(int) content.byteSize()];
        MemorySegment.copy(content, 0, MemorySegment.ofArray(bytes), 0, bytes.length);
        return bytes;
    }

    /** Writes it, in one step. */
    void save(TicketKeyDocument document) throws TicketKeyException {
        try {
            if (key != null) {
                PrivateFile.replace(file, ByteBuffer.wrap(key.seal(document)));
                return;
            }
            try (SecretMemory content = document.encode()) {
                PrivateFile.replace(file, content.segment().asByteBuffer());
            }
        } catch (IOException e) {
            throw new TicketKeyException(
                    "ticket keys cannot be written to " + file + " (" + PlainCause.of(e)
                            + "), so a restart will lose them; make room, or let user "
                            + System.getProperty("user.name") + " write to its directory",
                    e);
        }
    }

    /** Moves it out of the way, for whoever wants to know what was wrong with it. */
    void setAside() {
        try {
            Files.move(file, file.resolveSibling(file.getFileName() + ".unusable"));
        } catch (IOException e) {
            // It will be replaced then.
        }
    }

    /** Wipes the fleet key; the file stays. */
    @Override
    public void close() {
        if (key != null) {
            key.close();
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
