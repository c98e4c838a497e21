package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.Choice;
import dev.sluice.config.key.KeyType.Group;
import dev.sluice.config.key.KeyType.Shape;
import dev.sluice.config.key.KeyType.Text;
import dev.sluice.config.key.KeyType.Texts;
import dev.sluice.config.key.KeyType.Whole;
import dev.sluice.config.model.ClientAuth;
import dev.sluice.config.model.ClientPolicy;
import java.util.List;

/** The keys of client authentication: those of a listener, and of its {@code hosts}. */
public final class ClientPolicyKeys {
    public static final ValueKey<ClientAuth> MODE = Key.of(
            "client-auth",
            Choice.of(ClientAuth.class),
            ClientAuth.NONE,
            "`none`; of a host the listener's",
            "Client authentication; `optional`: a certificate that is sent must verify.");
    public static final Key AUTHORITIES = Key.optional(
            "client-ca",
            new Text("a PEM file"),
            "none; of a host the listener's",
            "Authorities that clients' certificates must chain to; required with `client-auth`.");
    public static final Key REVOCATIONS =
            Key.optional("client-crl", new Texts("PEM files"), "Certificate revocation lists of these authorities.");
    public static final ValueKey<Integer> DEPTH = Key.of(
            "client-depth",
            new Whole(0, 100), // OpenSSL's own limit
            ClientPolicy.ANY_DEPTH,
            "100",
            "Maximum number of intermediate authorities between a client's certificate and `client-ca`.");
    public static final Key NAMES = Key.optional(
            "client-names",
            new Texts("`cn:`, `dns:`, `email:`, `uri:` or `sha256:` and a name"),
            "any",
            "The clients to accept, of those that verify.");
    public static final Key HOST_SNI = Key.required(
            "sni",
            new Text("a host name, or `*.example.com`"),
            "admin.example.com",
            "Server name of the virtual host; the wildcard covers the names one level below.");

    public static final SectionKeys HOST = new SectionKeys(
            "host",
            "listeners[].hosts[]",
            "Virtual hosts",
            "Server names with a client-authentication policy of their own;"
                    + " see [Client certificates](guide/client-certificates.md).",
            List.of(HOST_SNI, MODE, AUTHORITIES, REVOCATIONS, DEPTH, NAMES));

    public static final Key HOSTS = Key.optional(
            "hosts", new Group(Shape.LIST, HOST), "Virtual hosts with a client-authentication policy of their own.");

    private ClientPolicyKeys() {}
}
