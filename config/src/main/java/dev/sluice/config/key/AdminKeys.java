package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.Text;
import java.util.List;
import java.util.Map;

/** The keys of {@code admin}. */
public final class AdminKeys {
    public static final Key SOCKET =
            Key.optional("socket", new Text("`unix:/path`"), "Unix socket for commands, with file mode 0600.");
    public static final Key ADDRESS = Key.optional(
            "address", new Text("`host:port`"), "Address of metrics, health and dashboard, such as `127.0.0.1:9900`.");
    public static final Key TOKEN_FILE = Key.optional(
            "token-file",
            new Text("a file of mode 0600, or 0640 if it is root's"),
            "Token of 16 characters or more that clients must send (`Authorization: Bearer`).");
    public static final Key CERTIFICATE =
            Key.optional("certificate", new Text("a PEM file"), "Certificate of the endpoint, which then uses TLS.");
    public static final Key KEY =
            Key.optional("key", new Text("a PEM file"), "Its private key, in PKCS #8 without a passphrase.");
    public static final Key CLIENT_AUTHORITIES = Key.optional(
            "client-ca", new Text("a PEM file"), "Authorities that every client's certificate must chain to.");

    public static final SectionKeys SECTION = new SectionKeys(
            "admin",
            "admin",
            "Admin endpoint",
            "All but `socket` need `address`. An address that other machines can reach needs `token-file` or"
                    + " `client-ca`; see [Monitoring](guide/monitoring.md).",
            List.of(SOCKET, ADDRESS, TOKEN_FILE, CERTIFICATE, KEY, CLIENT_AUTHORITIES),
            List.of(),
            Map.of(
                    TOKEN_FILE, List.of(ADDRESS),
                    CERTIFICATE, List.of(ADDRESS, KEY),
                    KEY, List.of(ADDRESS, CERTIFICATE),
                    CLIENT_AUTHORITIES, List.of(ADDRESS, CERTIFICATE)));

    private AdminKeys() {}
}
