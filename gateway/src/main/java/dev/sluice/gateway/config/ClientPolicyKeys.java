package dev.sluice.gateway.config;

import dev.sluice.gateway.config.KeyType.Choice;
import dev.sluice.gateway.config.KeyType.Group;
import dev.sluice.gateway.config.KeyType.Shape;
import dev.sluice.gateway.config.KeyType.Text;
import dev.sluice.gateway.config.KeyType.Texts;
import dev.sluice.gateway.config.KeyType.Whole;
import java.util.List;

/** The keys of client authentication: those of a listener, and of its {@code hosts}. */
final class ClientPolicyKeys {
    static final ValueKey<ClientAuth> MODE = Key.of(
            "client-auth",
            Choice.of(ClientAuth.class),
            ClientAuth.NONE,
            "`none`; of a host the listener's",
            "Client authentication; `optional`: a certificate that is sent must verify.");
    static final Key AUTHORITIES = Key.optional(
            "client-ca",
            new Text("a PEM file"),
            "none; of a host the listener's",
            "Authorities that clients' certificates must chain to; required with `client-auth`.");
    static final Key REVOCATIONS =
            Key.optional("client-crl", new Texts("PEM files"), "Certificate revocation lists of these authorities.");
    static final ValueKey<Integer> DEPTH = Key.of(
            "client-depth",
            new Whole(0, 100), // OpenSSL's own limit
            ClientPolicy.ANY_DEPTH,
            "100",
            "Maximum number of intermediate authorities between a client's certificate and `client-ca`.");
    static final Key NAMES = Key.optional(
            "client-names",
            new Texts("`cn:`, `dns:`, `email:`, `uri:` or `sha256:` and a name"),
            "any",
            "The clients to accept, of those that verify.");
    static final Key HOST_SNI = Key.required(
            "sni",
            new Text("a host name, or `*.example.com`"),
            "admin.example.com",
            "Server name of the virtual host; the wildcard covers the names one level below.");

    static final SectionKeys HOST = new SectionKeys(
            "host",
            "listeners[].hosts[]",
            "Virtual hosts",
            "Server names with a client-authentication policy of their own;"
                    + " see [Client certificates](guide/client-certificates.md).",
            List.of(HOST_SNI, MODE, AUTHORITIES, REVOCATIONS, DEPTH, NAMES));

    static final Key HOSTS = Key.optional(
            "hosts", new Group(Shape.LIST, HOST), "Virtual hosts with a client-authentication policy of their own.");

    private ClientPolicyKeys() {}
}
