package dev.sluice.doctor.probe;

/**
 * The endpoint to audit.
 *
 * @param host name or address
 * @param port TCP port
 * @param serverName the name for SNI and for the certificate; "" for an address, which SNI does not support
 * @param startTls the protocol before TLS
 */
public record Target(String host, int port, String serverName, StartTls startTls) {
    private static final int LAST_PORT = 65_535;

    /**
     * Parses {@code host:port} or {@code [v6]:port}; the default port is 443.
     *
     * @param sni the server name to request instead of the host; "" for the host
     * @throws IllegalArgumentException with a message for people
     */
    public static Target parse(String text, String sni, StartTls startTls) {
        String rest = text.startsWith("https://") ? text.substring("https://".length()) : text;
        rest = rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest;
        int colon = rest.lastIndexOf(':');
        boolean hasPort =
                colon >= 0 && rest.indexOf(']') < colon && (rest.startsWith("[") || rest.indexOf(':') == colon);
        String host = hasPort ? rest.substring(0, colon) : rest;
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        if (host.isEmpty() || host.contains("/") || host.contains(" ")) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not an endpoint; use host:port, such as" + " example.com:443 or [::1]:8443");
        }
        int port = hasPort ? port(rest.substring(colon + 1), text) : startTls.defaultPort();
        String name = !sni.isEmpty() ? sni : isAddress(host) ? "" : host;
        return new Target(host, port, name, startTls);
    }

    private static int port(String digits, String text) {
        try {
            int port = Integer.parseInt(digits);
            if (port > 0 && port <= LAST_PORT) {
                return port;
            }
        } catch (NumberFormatException notANumber) {
            // told below
        }
        throw new IllegalArgumentException(
                "\"" + text + "\" has the port \"" + digits + "\"; write a number from 1 to " + LAST_PORT);
    }

    /** Returns whether a host is an IP address instead of a name. */
    public static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }

    /** Returns the name that the certificate must have. */
    public String expectedName() {
        return serverName.isEmpty() ? host : serverName;
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
