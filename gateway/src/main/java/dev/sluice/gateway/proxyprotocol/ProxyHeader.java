package dev.sluice.gateway.proxyprotocol;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The content of a PROXY protocol header.
 *
 * @param source the client's address; null when the sender did not say (LOCAL, UNKNOWN)
 * @param destination the address that the client connected to; null together with the source
 * @param tls what is known of the client's TLS connection; {@link TlsFacts#NONE} without TLS, and in version 1 always
 */
public record ProxyHeader(
        @Nullable InetSocketAddress source, @Nullable InetSocketAddress destination, TlsFacts tls) {
    /** A header that says nothing. */
    public static final ProxyHeader UNKNOWN = new ProxyHeader(null, null, TlsFacts.NONE);

    /**
     * Reads a header of either version from the start of a stream, and not a byte beyond it.
     *
     * @throws ProxyProtocolException when the stream does not start with a valid header
     * @throws IOException when the stream ends or breaks first
     */
    public static ProxyHeader read(InputStream input) throws IOException {
        byte[] start = input.readNBytes(VersionOne.PREFIX.length);
        return switch (start.length == 0 ? -1 : start[0]) {
            case 'P' -> VersionOne.decode(start, input);
            case '\r' -> VersionTwo.decode(start, input);
            case -1 -> throw new ProxyProtocolException("the connection ended before a PROXY header came");
            default ->
                throw new ProxyProtocolException("the connection does not start with a PROXY header: first byte="
                        + start[0] + "; set proxy-protocol for this backend on the sender");
        };
    }

    /** The line of version 1, to be sent before the first byte. */
    public byte[] toVersionOne() {
        return VersionOne.encode(this);
    }

    /** The binary header of version 2, to be sent before the first byte. */
    public byte[] toVersionTwo() {
        return VersionTwo.encode(this);
    }
}
