package dev.sluice.gateway.tickets;

import dev.sluice.gateway.log.PlainCause;
import dev.sluice.tls.record.SecretSeal;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * The key under which ticket keys, and certificates' keys, are sealed outside of the process, and which all nodes of a
 * fleet have in a file. Confined to one thread at a time.
 */
public final class FleetKey implements AutoCloseable {
    private static final int FILE_BYTES_MAX = 4096;
    private static final String REMEDY =
            "; make one by: (umask 077; openssl rand -base64 32 > FILE), the same for all nodes";

    private final SecretSeal seal;

    private FleetKey(SecretSeal seal) {
        this.seal = seal;
    }

    /**
     * Reads it: 32 bytes, or a line of them in Base64.
     *
     * @throws TicketKeyException naming value, cause and remedy
     */
    public static FleetKey read(Path file) throws TicketKeyException {
        try (SecretMemory content = SecretMemory.read(file, FILE_BYTES_MAX);
                SecretMemory decoded = SecretMemory.of(FILE_BYTES_MAX)) {
            return new FleetKey(new SecretSeal(key(file, content.segment(), decoded.segment())));
        } catch (IOException e) {
            throw new TicketKeyException(
                    "fleet key not usable: " + file + " cannot be read (" + PlainCause.of(e) + "); let user "
                            + System.getProperty("user.name") + " read it",
                    e);
        }
    }

    private static MemorySegment key(Path file, MemorySegment content, MemorySegment decoded)
            throws TicketKeyException {
        if (content.byteSize() == SecretSeal.KEY_BYTES) {
            return content;
        }
        long end = content.byteSize();
        while (end > 0 && content.get(ValueLayout.JAVA_BYTE, end - 1) <= ' ') {
            end--;
        }
        int bytes = Base64Lines.decode(content.asSlice(0, end), decoded);
        if (bytes != SecretSeal.KEY_BYTES) {
            String what = bytes < 0 ? "is no Base64" : "holds " + bytes + " bytes in Base64";
            throw new TicketKeyException("fleet key not usable: " + file + " " + what + ", and a fleet key has "
                    + SecretSeal.KEY_BYTES + REMEDY);
        }
        return decoded.asSlice(0, bytes);
    }

    /** Seals a document. */
    byte[] seal(TicketKeyDocument document) {
        try (SecretMemory text = document.encode()) {
            return seal.seal(text.segment());
        }
    }

    /**
     * Seals bytes.
     *
     * @param text the caller wipes it
     */
    public byte[] seal(byte[] text) {
        try (SecretMemory memory = SecretMemory.of(text.length)) {
            MemorySegment bytes = memory.segment().asSlice(0, text.length);
            return seal.seal(bytes.copyFrom(MemorySegment.ofArray(text)));
        }
    }

    /**
     * Opens sealed bytes.
     *
     * @param what they are and where they come from, for messages
     * @return the caller wipes it
     */
    public byte[] openBytes(byte[] sealed, String what) throws TicketKeyException {
        try (SecretMemory text = SecretMemory.of(sealed.length)) {
            byte[] bytes = new byte[seal.open(sealed, text.segment())];
            MemorySegment.copy(text.segment(), ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
            return bytes;
        } catch (SecretSeal.RefusedException e) {
            throw new TicketKeyException(what + " not usable: " + reason(e.refusal()), e);
        }
    }

    /**
     * Opens a document.
     *
     * @param where it comes from, for messages
     * @return the caller owns its keys
     */
    TicketKeyDocument open(byte[] sealed, String where) throws TicketKeyException {
        try (SecretMemory text = SecretMemory.of(sealed.length)) {
            int bytes = seal.open(sealed, text.segment());
            return TicketKeyDocument.decode(text.segment().asSlice(0, bytes));
        } catch (SecretSeal.RefusedException e) {
            throw new TicketKeyException("ticket keys of " + where + " not usable: " + reason(e.refusal()), e);
        }
    }

    private static String reason(SecretSeal.Refusal refusal) {
        return switch (refusal) {
            case UNKNOWN_FORM ->
                "what stands there is no document of ours; if nothing else needs it, delete it, and the nodes write "
                        + "what they have";
            case OTHER_KEY ->
                "it is sealed under another fleet key than this node's; give all nodes the same file as fleet-key";
            case BROKEN ->
                "the document was changed or cut since it was sealed; delete it, and the nodes write what they have";
        };
    }

    @Override
    public void close() {
        seal.close();
    }
}
