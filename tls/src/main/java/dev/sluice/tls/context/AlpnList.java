package dev.sluice.tls.context;

import static dev.sluice.ffi.openssl.HandshakeCallbacks.Target.NO_PROTOCOL;
import static dev.sluice.ffi.openssl.HandshakeCallbacks.Target.REFUSE;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Application protocols by preference (RFC 7301), and the choice among a client's offers. */
public final class AlpnList {
    private static final int MAX_NAME_BYTES = 255;

    private final List<byte[]> names;
    private final boolean required;

    /**
     * Creates a list.
     *
     * @param names such as {@code h2}; empty disables ALPN
     * @param required true to reject a client that offers no protocol at all
     */
    AlpnList(List<String> names, boolean required) {
        this.names = names.stream().map(AlpnList::encode).toList();
        this.required = required;
    }

    private static byte[] encode(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > MAX_NAME_BYTES) {
            throw new TlsConfigurationException("ALPN name must have 1 to " + MAX_NAME_BYTES + " bytes, name=\"" + name
                    + "\", bytes=" + bytes.length + "; names in use are h2, http/1.1, mqtt, postgresql");
        }
        return bytes;
    }

    boolean isEmpty() {
        return names.isEmpty();
    }

    /** Returns whether a peer without ALPN is rejected. */
    public boolean isRequired() {
        return required;
    }

    /** Returns the wire format: each name preceded by a length byte. */
    byte[] wire() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] name : names) {
            out.write(name.length);
            out.writeBytes(name);
        }
        return out.toByteArray();
    }

    /**
     * Chooses a protocol by our preference. A client that offers only unknown protocols is rejected, as RFC 7301
     * section 3.2 requires: without a protocol, its bytes could be mistaken for those of another (ALPACA). An empty
     * list disables ALPN and ignores the offers.
     *
     * @param offered address of the client's list, whose syntax libssl has checked
     * @param length of the list, in bytes
     * @return offset of the chosen one's length byte, NO_PROTOCOL or REFUSE
     */
    public int choose(long offered, int length) {
        for (byte[] name : names) {
            for (int at = 0; at < length; at += 1 + lengthAt(offered, at)) {
                if (lengthAt(offered, at) == name.length && matches(offered + at + 1, name)) {
                    return at;
                }
            }
        }
        return isEmpty() ? NO_PROTOCOL : REFUSE;
    }

    /** Returns whether a result of {@link #choose} ends the handshake. */
    public boolean isRefused(int chosen) {
        return chosen == REFUSE;
    }

    /** Returns the chosen protocol. */
    public byte[] name(long offered, int chosen) {
        byte[] name = new byte[lengthAt(offered, chosen)];
        RawMemory.copy(offered + chosen + 1, name, 0, name.length);
        return name;
    }

    private static int lengthAt(long offered, int at) {
        return RawMemory.getByte(offered + at) & 0xFF;
    }

    private static boolean matches(long address, byte[] name) {
        for (int i = 0; i < name.length; i++) {
            if (RawMemory.getByte(address + i) != name[i]) {
                return false;
            }
        }
        return true;
    }
}
