package dev.sluice.tls.context;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A parser of the server_name extension (RFC 6066 section 3). */
public final class ServerNames {
    private static final int HOST_NAME = 0;

    private ServerNames() {}

    /**
     * Returns the host name that a client requests.
     *
     * <pre>
     *   0        2      3        5
     *   +--------+------+--------+----------+
     *   | list   | type | name   | name ... |
     *   | length | = 0  | length |          |
     *   +--------+------+--------+----------+
     * </pre>
     *
     * @param extension the extension's body; null when the client sent none
     * @return lower case, without a trailing dot, which must not select another host's policy; null when absent or
     *     malformed, which libssl rejects later
     */
    public static @Nullable String hostName(byte @Nullable [] extension) {
        if (extension == null || extension.length < 5) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(extension);
        int listLength = Short.toUnsignedInt(in.getShort());
        int type = in.get();
        int nameLength = Short.toUnsignedInt(in.getShort());
        if (listLength != extension.length - 2 || type != HOST_NAME || nameLength != in.remaining()) {
            return null;
        }
        int end = in.position() + nameLength;
        int length = nameLength > 1 && extension[end - 1] == '.' ? nameLength - 1 : nameLength;
        return new String(extension, in.position(), length, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
    }
}
