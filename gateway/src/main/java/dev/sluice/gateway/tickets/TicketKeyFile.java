package dev.sluice.gateway.tickets;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.gateway.log.PlainCause;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Files with ticket keys, as nginx and HAProxy read them: 48 or 80 bytes and nothing else (nginx's
 * {@code ssl_session_ticket_key}), or lines of such bytes in Base64, the oldest first (HAProxy's {@code
 * tls-ticket-keys}). Empty lines and those that begin with {@code #} are passed over. In 80 bytes nginx has the HMAC
 * key before the AES key, and HAProxy behind it.
 */
final class TicketKeyFile {
    private static final int FILE_BYTES_MAX = 64 * 1024;
    private static final int LINE_BYTES_MAX = 1024;
    private static final MallocAllocator ALLOCATOR = new MallocAllocator();

    private TicketKeyFile() {}

    /**
     * Reads the keys of a file in their order.
     *
     * @return the caller owns them
     */
    static List<TicketKey> read(Path file) throws TicketKeyException {
        try (SecretMemory content = SecretMemory.read(file, FILE_BYTES_MAX)) {
            MemorySegment bytes = content.segment();
            return isKey(bytes.byteSize()) ? List.of(TicketKey.of(ALLOCATOR, bytes)) : readLines(file, bytes);
        } catch (IOException e) {
            throw new TicketKeyException("ticket keys not usable: " + file + " cannot be read (" + PlainCause.of(e)
                    + "); let user " + System.getProperty("user.name") + " read it");
        }
    }

    private static boolean isKey(long bytes) {
        return bytes == TicketKey.SECRET_BYTES || bytes == TicketKey.SHORT_SECRET_BYTES;
    }

    private static List<TicketKey> readLines(Path file, MemorySegment text) throws TicketKeyException {
        List<TicketKey> keys = new ArrayList<>();
        try {
            int number = 0;
            for (long start = 0; start < text.byteSize(); number++) {
                long end = endOfLine(text, start);
                MemorySegment line = stripped(text.asSlice(start, end - start));
                if (line.byteSize() > 0 && charAt(line, 0) != '#') {
                    keys.add(readLine(file, number + 1, line));
                }
                start = end + 1;
            }
            if (keys.isEmpty()) {
                throw new TicketKeyException("ticket keys not usable: " + file + " holds none; write one by: "
                        + "openssl rand 80 > FILE, or a line by: openssl rand -base64 80 | tr -d '\\n'");
            }
            return keys;
        } catch (TicketKeyException | RuntimeException e) {
            keys.forEach(TicketKey::close);
            throw e;
        }
    }

    private static TicketKey readLine(Path file, int number, MemorySegment line) throws TicketKeyException {
        if (line.byteSize() > LINE_BYTES_MAX) {
            throw unusable(file, number, "is longer than any key");
        }
        try (SecretMemory key = SecretMemory.of(line.byteSize())) {
            int bytes = Base64Lines.decode(line, key.segment());
            if (bytes < 0) {
                throw unusable(file, number, "is no Base64");
            }
            if (!isKey(bytes)) {
                throw unusable(file, number, "has " + bytes + " bytes");
            }
            MemorySegment secret = key.segment().asSlice(0, bytes);
            exchangeKeys(secret);
            return TicketKey.of(ALLOCATOR, secret);
        }
    }

    /** Makes HAProxy's order of {@link TicketKey}'s, and the other way round. */
    private static void exchangeKeys(MemorySegment secret) {
        if (secret.byteSize() != TicketKey.SECRET_BYTES) {
            return;
        }
        int half = (TicketKey.SECRET_BYTES - TicketKey.NAME_BYTES) / 2;
        for (long i = TicketKey.NAME_BYTES; i < TicketKey.NAME_BYTES + half; i++) {
            byte first = secret.get(ValueLayout.JAVA_BYTE, i);
            secret.set(ValueLayout.JAVA_BYTE, i, secret.get(ValueLayout.JAVA_BYTE, i + half));
            secret.set(ValueLayout.JAVA_BYTE, i + half, first);
        }
    }

    private static TicketKeyException unusable(Path file, int line, String what) {
        return new TicketKeyException("ticket keys not usable: line " + line + " of " + file + " " + what
                + "; a key has 48 bytes (AES-128) or 80 (AES-256), as the whole file or as a line in Base64");
    }

    private static long endOfLine(MemorySegment text, long start) {
        long end = start;
        while (end < text.byteSize() && charAt(text, end) != '\n') {
            end++;
        }
        return end;
    }

    private static MemorySegment stripped(MemorySegment line) {
        long start = 0;
        long end = line.byteSize();
        while (start < end && charAt(line, start) <= ' ') {
            start++;
        }
        while (end > start && charAt(line, end - 1) <= ' ') {
            end--;
        }
        return line.asSlice(start, end - start);
    }

    private static char charAt(MemorySegment text, long at) {
        return (char) (text.get(ValueLayout.JAVA_BYTE, at) & 0xFF);
    }

    /**
     * Writes keys as HAProxy's lines of Base64 into a new file that nobody else can read.
     *
     * @throws IOException when the file is there already, too
     */
    static void write(Path file, List<TicketKey> keys) throws IOException {
        int most = keys.size() * (Base64Lines.textLength(TicketKey.SECRET_BYTES) + 1);
        try (SecretMemory text = SecretMemory.of(most);
                SecretMemory copy = SecretMemory.of(TicketKey.SECRET_BYTES)) {
            long end = 0;
            for (TicketKey key : keys) {
                MemorySegment secret =
                        copy.segment().asSlice(0, key.secret().byteSize()).copyFrom(key.secret());
                exchangeKeys(secret);
                end += Base64Lines.encode(secret, text.segment().asSlice(end));
                text.segment().set(ValueLayout.JAVA_BYTE, end++, (byte) '\n');
            }
            ByteBuffer buffer = text.segment().asSlice(0, end).asByteBuffer();
            PrivateFile.create(file, buffer);
        }
    }
}
