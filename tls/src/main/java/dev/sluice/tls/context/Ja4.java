package dev.sluice.tls.context;

import dev.sluice.ffi.libc.RawMemory;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The JA4 fingerprint of a TLS client, which names its software rather than itself: FoxIO's method for TLS clients,
 * which is free under the BSD 3-Clause license.
 *
 * <pre>
 *   t13d1516h2_8daaf6152771_e5627efa2ab1
 *   │││ │ │ │  │            └ SHA-256 of sorted extensions, without SNI and ALPN, and of signature algorithms as sent
 *   │││ │ │ │  └ SHA-256 of sorted cipher suites; of each digest the first 12 hexadecimal digits
 *   │││ │ │ └ first and last character of the first ALPN protocol; 00 without one
 *   │││ │ └ number of extensions, 99 at most
 *   │││ └ number of cipher suites, 99 at most
 *   ││└ d: with a server name, i: without
 *   │└ highest TLS version offered
 *   └ TCP
 * </pre>
 *
 * Reserved GREASE values (RFC 8701) are left out everywhere.
 */
public final class Ja4 {
    /** Characters of a fingerprint. */
    public static final int LENGTH = 36;

    private static final int HEADERS_BYTES = 9;
    private static final int RANDOM_BYTES = 32;
    private static final int SERVER_NAME = 0;
    private static final int SIGNATURE_ALGORITHMS = 13;
    private static final int ALPN = 16;
    private static final int SUPPORTED_VERSIONS = 43;
    private static final int COUNT_MAX = 99;
    private static final int DIGEST_CHARS = 12;
    private static final String NO_DIGEST = "0".repeat(DIGEST_CHARS);

    private final ByteBuffer message;
    private final List<Integer> suites = new ArrayList<>();
    private final List<Integer> extensions = new ArrayList<>();
    private List<Integer> signatures = List.of();
    private int version;
    private String protocol = "00";

    private Ja4(ByteBuffer message) {
        this.message = message;
    }

    /**
     * Computes the fingerprint of a ClientHello.
     *
     * @param address of the received bytes
     * @param length number of received bytes
     * @return {@link #LENGTH} characters; null for a message that is malformed, or not whole in one record
     */
    public static @Nullable String of(long address, int length) {
        long end = ClientHelloPeek.end(address, length);
        if (end == ClientHelloPeek.NONE) {
            return null;
        }
        byte[] bytes = new byte[(int) (end - address)];
        RawMemory.copy(address, bytes, 0, bytes.length);
        try {
            Ja4 ja4 = new Ja4(ByteBuffer.wrap(bytes, HEADERS_BYTES, bytes.length - HEADERS_BYTES));
            ja4.read();
            return ja4.text();
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException malformed) {
            return null;
        }
    }

    // --- the message, RFC 8446 section 4.1.2 ------------------------------------------------------------------------

    private void read() {
        version = unsigned16(message);
        skip(message, RANDOM_BYTES);
        skip(message, unsigned8(message));
        suites.addAll(numbers(vector16(message)));
        skip(message, unsigned8(message));
        ByteBuffer all = message.remaining() >= Short.BYTES ? vector16(message) : ByteBuffer.allocate(0);
        while (all.hasRemaining()) {
            int type = unsigned16(all);
            ByteBuffer body = vector16(all);
            if (!isGrease(type)) {
                extensions.add(type);
                extension(type, body);
            }
        }
    }

    private void extension(int type, ByteBuffer body) {
        switch (type) {
            case SIGNATURE_ALGORITHMS -> signatures = numbers(vector16(body));
            case SUPPORTED_VERSIONS -> {
                skip(body, 1);
                version = numbers(body).stream().mapToInt(each -> each).max().orElse(version);
            }
            case ALPN -> protocol = firstAndLast(vector16(body));
            default -> {}
        }
    }

    private static String firstAndLast(ByteBuffer protocols) {
        byte[] first = new byte[protocols.hasRemaining() ? unsigned8(protocols) : 0];
        protocols.get(first);
        if (first.length == 0) {
            return "00";
        }
        char begin = (char) Byte.toUnsignedInt(first[0]);
        char end = (char) Byte.toUnsignedInt(first[first.length - 1]);
        if (isAlphanumeric(begin) && isAlphanumeric(end)) {
            return "" + begin + end;
        }
        String digits = HexFormat.of().formatHex(first);
        return "" + digits.charAt(0) + digits.charAt(digits.length() - 1);
    }

    private static boolean isAlphanumeric(char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    // --- the text ---------------------------------------------------------------------------------------------------

    private String text() {
        String server = extensions.contains(SERVER_NAME) ? "d" : "i";
        return "t" + versionText() + server + count(suites) + count(extensions) + protocol + "_"
                + digest(sorted(suites)) + "_" + digest(behaviour());
    }

    private String versionText() {
        return switch (version) {
            case 0x0304 -> "13";
            case 0x0303 -> "12";
            case 0x0302 -> "11";
            case 0x0301 -> "10";
            case 0x0300 -> "s3";
            default -> "00";
        };
    }

    private static String count(List<Integer> numbers) {
        int count = Math.min(numbers.size(), COUNT_MAX);
        return "" + (char) ('0' + count / 10) + (char) ('0' + count % 10);
    }

    private String behaviour() {
        String sorted = sorted(extensions.stream()
                .filter(type -> type != SERVER_NAME && type != ALPN)
                .toList());
        return signatures.isEmpty() ? sorted : sorted + "_" + joined(signatures);
    }

    private static String sorted(List<Integer> numbers) {
        return joined(numbers.stream().sorted().toList());
    }

    private static String joined(List<Integer> numbers) {
        return numbers.stream()
                .map(number -> HexFormat.of().toHexDigits(number.shortValue()))
                .collect(Collectors.joining(","));
    }

    private static String digest(String text) {
        if (text.isEmpty()) {
            return NO_DIGEST;
        }
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            byte[] hash = sha256.digest(text.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(hash).substring(0, DIGEST_CHARS);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    // --- numbers ----------------------------------------------------------------------------------------------------

    private static boolean isGrease(int number) {
        return (number & 0x0F0F) == 0x0A0A && number >>> 8 == (number & 0xFF);
    }

    /** Returns the 16-bit numbers of a list, without GREASE. */
    private static List<Integer> numbers(ByteBuffer list) {
        return IntStream.range(0, list.remaining() / Short.BYTES)
                .map(at -> Short.toUnsignedInt(list.getShort(list.position() + at * Short.BYTES)))
                .filter(number -> !isGrease(number))
                .boxed()
                .toList();
    }

    private static ByteBuffer vector16(ByteBuffer from) {
        int length = unsigned16(from);
        ByteBuffer vector = from.slice(from.position(), length);
        skip(from, length);
        return vector;
    }

    private static void skip(ByteBuffer buffer, int bytes) {
        buffer.position(buffer.position() + bytes);
    }

    private static int unsigned8(ByteBuffer from) {
        return Byte.toUnsignedInt(from.get());
    }

    private static int unsigned16(ByteBuffer from) {
        return Short.toUnsignedInt(from.getShort());
    }
}
