package dev.sluice.gateway.proxyprotocol;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Version 1 of the PROXY protocol, a line of text (proxy-protocol.txt section 2.1).
 *
 * <pre>
 * PROXY TCP4 192.0.2.7 198.51.100.1 56324 443 CR LF
 * PROXY UNKNOWN CR LF
 * </pre>
 */
final class VersionOne {
    /** The beginning of the line. */
    static final byte[] PREFIX = "PROXY ".getBytes(StandardCharsets.US_ASCII);

    /** The longest line, CR LF included: two full IPv6 addresses after UNKNOWN. */
    static final int LINE_BYTES_MAX = 107;

    private static final Pattern FOUR = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern SIX = Pattern.compile("[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

    private VersionOne() {}

    static byte[] encode(ProxyHeader header) {
        InetSocketAddress source = header.source();
        InetSocketAddress destination = header.destination();
        if (source == null || destination == null) {
            return "PROXY UNKNOWN\r\n".getBytes(StandardCharsets.US_ASCII);
        }
        boolean six = AddressBytes.isSix(source, destination);
        String line = "PROXY " + (six ? "TCP6 " : "TCP4 ") + AddressBytes.text(source, six) + ' '
                + AddressBytes.text(destination, six) + ' ' + source.getPort() + ' ' + destination.getPort() + "\r\n";
        return line.getBytes(StandardCharsets.US_ASCII);
    }

    static ProxyHeader decode(byte[] start, InputStream input) throws IOException {
        String[] words = line(start, input).split(" ", -1);
        if (words.length >= 2 && words[0].equals("PROXY") && words[1].equals("UNKNOWN")) {
            return ProxyHeader.UNKNOWN;
        }
        boolean six = words.length > 1 && words[1].equals("TCP6");
        if (words.length != 6 || !words[0].equals("PROXY") || (!six && !words[1].equals("TCP4"))) {
            throw new ProxyProtocolException("not a PROXY version 1 line: \"" + String.join(" ", words)
                    + "\"; expected PROXY TCP4|TCP6 source destination source-port destination-port");
        }
        return new ProxyHeader(address(words[2], words[4], six), address(words[3], words[5], six), TlsFacts.NONE);
    }

    private static String line(byte[] start, InputStream input) throws IOException {
        StringBuilder line = new StringBuilder(new String(start, StandardCharsets.US_ASCII));
        while (line.length() < LINE_BYTES_MAX) {
            int next = input.read();
            if (next < 0) {
                throw new EOFException("the connection ended inside a PROXY line: \"" + line + "\"");
            }
            line.append((char) next);
            if (next == '\n') {
                if (line.charAt(line.length() - 2) == '\r') {
                    return line.substring(0, line.length() - 2);
                }
                throw new ProxyProtocolException("a PROXY line ends in CR LF, this one in LF alone");
            }
        }
        throw new ProxyProtocolException("no end of the PROXY line within " + LINE_BYTES_MAX + " bytes");
    }

    private static InetSocketAddress address(String host, String port, boolean six) throws ProxyProtocolException {
        if (!(six ? SIX : FOUR).matcher(host).matches() || !PORT.matcher(port).matches()) {
            throw bad(host, port);
        }
        try {
            // Java turns an IPv4-mapped address into IPv4, which is what it is. A name would be looked up by DNS, which
            // no event loop waits for: ofLiteral never does.
            return new InetSocketAddress(InetAddress.ofLiteral(host), Integer.parseInt(port));
        } catch (IllegalArgumentException outOfRange) {
            throw bad(host, port);
        }
    }

    private static ProxyProtocolException bad(String host, String port) {
        return new ProxyProtocolException("a PROXY line with a bad address: \"" + host + "\" port \"" + port
                + "\"; expected numbers, such as 192.0.2.7 or 2001:db8::7, and 0 to 65535");
    }
}
