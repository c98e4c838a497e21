package dev.sluice.config.yaml;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parser of socket addresses as the configuration writes them: {@code host:port}, {@code [v6]:port}, {@code
 * unix:/path}, for servers also {@code srv:NAME}.
 */
public final class Addresses {
    /** The prefix of a service that SRV records describe. */
    static final String SERVICE = "srv:";

    private static final String UNIX = "unix:";
    private static final int PORT_MAX = 65_535;

    /** The room for a path in sockaddr_un, sun_path of unix(7), without the NUL. */
    private static final int UNIX_PATH_BYTES_MAX = 107;

    /** The length of a DNS name, RFC 1035 section 2.3.4, without the dot at its end. */
    private static final int NAME_LENGTH_MAX = 253;

    /** Labels of host names (RFC 1123 section 2.1), and with underscores, as in names of containers. */
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}))*\\.?");

    /** An ending of IPv4 addresses, not of names (WHATWG URL, "ends in a number"). */
    private static final Pattern ENDS_IN_NUMBER = Pattern.compile("(.*\\.)?([0-9]+|0[xX][0-9A-Fa-f]*)\\.?");

    private Addresses() {}

    /** A host name that does not resolve now; another attempt may succeed. */
    static final class UnresolvedException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        UnresolvedException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Parses and resolves an address to listen on; port 0 is allowed.
     *
     * @throws IllegalArgumentException with value, cause and remedy
     */
    public static InetSocketAddress toListen(String text) {
        return toListen(text, HostLookup.SYSTEM);
    }

    /**
     * Parses an address to listen on, and resolves a name; port 0 is allowed.
     *
     * @throws UnresolvedException when the name does not resolve
     * @throws IllegalArgumentException with value, cause and remedy
     */
    public static InetSocketAddress toListen(String text, HostLookup hosts) {
        InetSocketAddress address = inet(text, 0);
        if (!address.isUnresolved()) {
            return address;
        }
        try {
            return new InetSocketAddress(hosts.find(address.getHostString()), address.getPort());
        } catch (UnknownHostException unknown) {
            throw new UnresolvedException(
                    "the host of \"" + text + "\" does not resolve; check its spelling, DNS and /etc/hosts", unknown);
        }
    }

    /**
     * Parses an address to connect to. Names are not resolved.
     *
     * @param directory the start of a relative path of a Unix socket
     * @throws IllegalArgumentException with value, cause and remedy
     */
    public static SocketAddress toConnect(String text, Path directory) {
        if (text.startsWith("/")) {
            throw new IllegalArgumentException("\"" + text + "\" is a path; for a Unix socket write unix:" + text);
        }
        return text.startsWith(UNIX) ? unix(text.substring(UNIX.length()), directory) : inet(text, 1);
    }

    /**
     * Parses the address of a server: one to connect to, or a service that is looked up in DNS, {@code srv:NAME}. Names
     * are not resolved.
     *
     * @param directory the start of a relative path of a Unix socket
     * @throws IllegalArgumentException with value, cause and remedy
     */
    public static SocketAddress ofServer(String text, Path directory) {
        return text.startsWith(SERVICE) ? service(text) : toConnect(text, directory);
    }

    private static ServiceName service(String text) {
        String name = text.substring(SERVICE.length());
        if (!isName(name)) {
            throw new IllegalArgumentException("\"" + text
                    + "\" names no service; write the owner of its SRV records, for example"
                    + " srv:_http._tcp.shop.internal, without a port");
        }
        return new ServiceName(name);
    }

    /** Returns the name in a server's address that has to be looked up; null for a numeric address or a path. */
    public static @Nullable String nameOf(SocketAddress address) {
        return switch (address) {
            case ServiceName service -> service.name();
            case InetSocketAddress inet when inet.isUnresolved() -> inet.getHostString();
            default -> null;
        };
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
                        + " bytes; the limit of a Unix socket is " + UNIX_PATH_BYTES_MAX + "; use a shorter path");
            }
            return UnixDomainSocketAddress.of(path);
        } catch (InvalidPathException invalid) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a path: " + invalid.getReason() + "; write unix:/path/to/socket", invalid);
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
        InetAddress number = number(bracketed ? host.substring(1, host.length() - 1) : host);
        if (number != null) {
            return new InetSocketAddress(number, port);
        }
        requireName(text, host);
        return InetSocketAddress.createUnresolved(host, port);
    }

    private static @Nullable InetAddress number(String host) {
        try {
            return InetAddress.ofLiteral(host);
        } catch (IllegalArgumentException notANumber) {
            return null;
        }
    }

    private static boolean isName(String host) {
        return NAME.matcher(host).matches()
                && host.length() <= NAME_LENGTH_MAX
                && !ENDS_IN_NUMBER.matcher(host).matches();
    }

    private static void requireName(String text, String host) {
        if (!isName(host)) {
            throw new IllegalArgumentException("the host of \"" + text
                    + "\" is neither an address nor a name; write for example 127.0.0.1:8080, \"[::1]:8080\" or"
                    + " web.internal:8080");
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
