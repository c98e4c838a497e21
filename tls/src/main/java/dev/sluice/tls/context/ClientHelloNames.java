package dev.sluice.tls.context;

import dev.sluice.ffi.libc.RawMemory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The names in a ClientHello that decide where a connection goes. Immutable.
 *
 * @param serverName the server name (SNI), lower case; "": none, or one that is no text
 * @param alpn the protocols offered, in the client's order; empty: none
 */
public record ClientHelloNames(String serverName, List<String> alpn) {
    private static final int SERVER_NAME = 0;
    private static final int ALPN = 16;
    private static final int LENGTH_BYTES = 2;

    /** Copies the list. */
    public ClientHelloNames {
        alpn = List.copyOf(alpn);
    }

    /**
     * Reads a ClientHello that is whole, in one record ({@link ClientHelloRecords}).
     *
     * @param address of the record
     * @param length its size, header included
     */
    public static ClientHelloNames of(long address, int length) {
        String name = ServerNames.hostName(body(ClientHelloPeek.extension(address, length, SERVER_NAME)));
        return new ClientHelloNames(
                name == null || !isVisible(name) ? "" : name,
                protocols(body(ClientHelloPeek.extension(address, length, ALPN))));
    }

    /** Names go to logs. */
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
            protocols.add(new String(body, at + 1, length, StandardCharsets.UTF_8));
            at += 1 + length;
        }
        return protocols;
    }
}
