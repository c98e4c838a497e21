package dev.sluice.gateway.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Socket addresses as the configuration writes them: {@code host:port}, {@code [v6]:port}, {@code unix:/path}. */
public final class Addresses {
    private static final String UNIX = "unix:";
    private static final int PORT_MAX = 65_535;

    /** Room for a path in sockaddr_un, sun_path of unix(7), less the NUL. */
    private static final int UNIX_PATH_BYTES_MAX = 107;

    private Addresses() {}

    /**
     * Parses and resolves an address to listen on; port 0 is allowed.
     *
     * @throws IllegalArgumentException with value, cause and remedy
     */
    public static InetSocketAddress toListen(String text) {
        return inet(text, 0);
    }

    /**
     * Parses and resolves an address to connect to.
     *
     * @param directory what a relative path of a Unix socket starts at
     * @throws IllegalArgumentException with value, cause and remedy
     */
    public static SocketAddress toConnect(String text, Path directory) {
        return text.startsWith(UNIX) ? unix(text.substring(UNIX.length()), directory) : inet(text, 1);
    }

    private static SocketAddress unix(String text, Path directory) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("\"unix:\" names no socket; write unix:/path/to/socket");
        }
        try {
            Path path = directory.resolve(text);
            int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
            if (bytes > UNIX_PATH_BYTES_MAX) {
                throw new IllegalArgumentException("the path " + path + " has " + bytes
                        + " bytes, and a Unix socket's may have " + UNIX_PATH_BYTES_MAX + "; use a shorter one");
            }
            return UnixDomainSocketAddress.of(path);
        } catch (InvalidPathException invalid) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no path: " + invalid.getReason() + "; write unix:/path/to/socket", invalid);
        }
    }

    private static InetSocketAddress inet(String text, int leastPort) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? text : text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (colon < 1 || (host.indexOf(':') >= 0 && !bracketed)) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not host:port; write for example 127.0.0.1:8080 or \"[::1]:8080\"");
        }
        int port = port(text, text.substring(colon + 1), leastPort);
        return new InetSocketAddress(resolved(text, bracketed ? host.substring(1, host.length() - 1) : host), port);
    }

    private static InetAddress resolved(String text, String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException(
                    "the host of \"" + text + "\" does not resolve; check its spelling, DNS and /etc/hosts", unknown);
        }
    }

    private static int port(String text, String digits, int least) {
        int port;
        try {
            port = Integer.parseInt(digits);
        } catch (NumberFormatException notANumber) {
            port = -1;
        }
        if (port < least || port > PORT_MAX) {
            throw new IllegalArgumentException("the port of \"" + text + "\" is \"" + digits
                    + "\"; write a number from " + least + " to " + PORT_MAX);
        }
        return port;
    }
}
