package dev.sluice.tls.lean;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A ClientHello read in the plainest way, by the grammar of RFC 8446 section 4.1.2, to check {@link LeanHello} by.
 *
 * @param extensions bodies by type, in the order of the message
 */
public record HelloReference(ByteBuffer sessionId, List<Integer> suites, Map<Integer, ByteBuffer> extensions) {
    /**
     * Reads a message.
     *
     * @param message with its header
     * @throws IllegalArgumentException when it does not follow the grammar
     */
    public static HelloReference of(byte[] message) {
        try {
            ByteBuffer in = ByteBuffer.wrap(message);
            require(in.get() == 1, "not a ClientHello");
            in = exactly(in, medium(in));
            require(in.getShort() == 0x0303, "legacy_version");
            in.position(in.position() + 32);
            ByteBuffer sessionId = vector8(in);
            require(sessionId.remaining() <= 32, "size of legacy_session_id");
            List<Integer> suites = numbers(vector16(in));
            require(Arrays.equals(bytes(vector8(in)), new byte[1]), "legacy_compression_methods");
            ByteBuffer list = exactly(in, in.getShort() & 0xFFFF);
            Map<Integer, ByteBuffer> extensions = new LinkedHashMap<>();
            while (list.hasRemaining()) {
                int type = list.getShort() & 0xFFFF;
                require(extensions.put(type, vector16(list)) == null, "extension twice");
            }
            return new HelloReference(sessionId, suites, extensions);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a length beyond its vector", e);
        }
    }

    /** Returns the numbers of an extension that is one vector of them; null when it is absent. */
    @Nullable
    List<Integer> numbers(int type) {
        ByteBuffer body = body(type);
        return body == null ? null : numbers(exactly(body, body.getShort() & 0xFFFF));
    }

    /** Returns the offered versions. */
    List<Integer> versions() {
        ByteBuffer body = body(43);
        return body == null ? List.of() : numbers(exactly(body, body.get() & 0xFF));
    }

    /** Returns the first share of each group. */
    Map<Integer, byte[]> shares() {
        Map<Integer, byte[]> shares = new LinkedHashMap<>();
        ByteBuffer body = body(51);
        ByteBuffer list = body == null ? ByteBuffer.allocate(0) : exactly(body, body.getShort() & 0xFFFF);
        while (list.hasRemaining()) {
            shares.putIfAbsent(list.getShort() & 0xFFFF, bytes(vector16(list)));
        }
        return shares;
    }

    /** Returns the tickets and binders, by turns; nothing without a pre-shared key. */
    public List<byte[]> offers() {
        List<byte[]> offers = new ArrayList<>();
        ByteBuffer body = body(41);
        if (body == null) {
            return offers;
        }
        require(List.copyOf(extensions.keySet()).getLast() == 41, "pre_shared_key before another extension");
        ByteBuffer identities = vector16(body);
        ByteBuffer binders = exactly(body, body.getShort() & 0xFFFF);
        while (identities.hasRemaining()) {
            offers.add(bytes(vector16(identities)));
            identities.getInt();
            offers.add(bytes(vector8(binders)));
        }
        require(!binders.hasRemaining(), "more binders than identities");
        return offers;
    }

    /** Returns the body of an extension; null when it is absent. */
    @Nullable
    ByteBuffer body(int type) {
        ByteBuffer body = extensions.get(type);
        return body == null ? null : body.duplicate();
    }

    static byte[] bytes(ByteBuffer from) {
        byte[] bytes = new byte[from.remaining()];
        from.get(bytes);
        return bytes;
    }

    private static List<Integer> numbers(ByteBuffer from) {
        List<Integer> numbers = new ArrayList<>();
        while (from.hasRemaining()) {
            numbers.add(from.getShort() & 0xFFFF);
        }
        require(!numbers.isEmpty(), "an empty list");
        return numbers;
    }

    private static ByteBuffer vector8(ByteBuffer from) {
        return take(from, from.get() & 0xFF);
    }

    private static ByteBuffer vector16(ByteBuffer from) {
        return take(from, from.getShort() & 0xFFFF);
    }

    private static int medium(ByteBuffer from) {
        return (from.get() & 0xFF) << 16 | (from.getShort() & 0xFFFF);
    }

    /** Returns a vector that must end where what holds it ends. */
    private static ByteBuffer exactly(ByteBuffer from, int length) {
        ByteBuffer taken = take(from, length);
        require(!from.hasRemaining(), "bytes behind a vector");
        return taken;
    }

    private static ByteBuffer take(ByteBuffer from, int length) {
        require(length <= from.remaining(), "a length beyond its vector");
        ByteBuffer taken = from.slice(from.position(), length);
        from.position(from.position() + length);
        return taken;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
