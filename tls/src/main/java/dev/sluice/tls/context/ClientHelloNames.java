package dev.sluice.tls.context;

import dev.sluice.ffi.libc.RawMemory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names in a ClientHello that decide where a connection goes. Immutable. They may go to logs and headers: names
 * with other characters than those of printable ASCII are left out.
 *
 * @param serverName the server name (SNI), lower case; "": none, or one that is no host name
 * @param alpn the protocols offered, in the client's order; empty: none
 */
public record ClientHelloNames(String serverName, List<String> alpn) {
    private static final int SERVER_NAME = 0;
    private static final int ALPN = 16;
    private static final int LENGTH_BYTES = 2;

    /** The longest host name, which libssl takes too. */
    private static final int SERVER_NAME_CHARS_MAX = 255;

    /** Copies the list. */
    public ClientHelloNames {
        alpn = List.copyOf(alpn);
    }

    /**
     * Reads a ClientHello.
     *
     * @param address of the received bytes
     * @param length number of received bytes
     * @return null unless the whole message is there, in one record; {@link ClientHelloAssembly} makes that of others
     */
    public static @Nullable ClientHelloNames of(long address, int length) {
        if (!ClientHelloPeek.isWhole(address, length)) {
            return null;
        }
        String name = ServerNames.hostName(body(ClientHelloPeek.extension(address, length, SERVER_NAME)));
        return new ClientHelloNames(
                name == null || name.length() > SERVER_NAME_CHARS_MAX || !isVisible(name) ? "" : name,
                protocols(body(ClientHelloPeek.extension(address, length, ALPN))));
    }

    private static boolean isVisible(String name) {
        return name.chars().allMatch(each -> each > ' ' && each < 0x7f);
    }

    /** Returns a copy of an extension's body; empty without one. */
    private static byte[] body(long extension) {
        if (extension == ClientHelloPeek.NONE) {
            return new byte[0];
        }
        byte[] body = new byte[RawMemory.getShortBigEndian(extension) & 0xffff];
        RawMemory.copy(extension + LENGTH_BYTES, body, 0, body.length);
        return body;
    }

    /** Returns the protocols of an extension, RFC 7301 section 3.1; none when it is malformed. */
    private static List<String> protocols(byte[] body) {
        List<String> protocols = new ArrayList<>();
        int at = LENGTH_BYTES;
        while (at < body.length) {
            int length = Byte.toUnsignedInt(body[at]);
            if (length == 0 || at + 1 + length > body.length) {
                return List.of();
            }
            String protocol = new String(body, at + 1, length, StandardCharsets.ISO_8859_1);
            if (isVisible(protocol)) { // reserved GREASE values are not, RFC 8701
                protocols.add(protocol);
            }
            at += 1 + length;
        }
        return protocols;
    }
}
