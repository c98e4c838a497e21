package dev.sluice.gateway.config;

import dev.sluice.gateway.config.KeyType.Choice;
import dev.sluice.gateway.config.KeyType.Group;
import dev.sluice.gateway.config.KeyType.OnOff;
import dev.sluice.gateway.config.KeyType.Shape;
import dev.sluice.gateway.config.KeyType.Text;
import dev.sluice.gateway.config.KeyType.Texts;
import dev.sluice.gateway.config.KeyType.Whole;
import java.util.List;

/** The keys of a listener, and of its routes. */
final class ListenerKeys {
    static final Key ROUTE_SNI = Key.optional(
            "sni",
            new Text("a host name, or `*.example.com`"),
            "any",
            "Server name of the client; the wildcard covers the names one level below.");
    static final Key ROUTE_ALPN =
            Key.optional("alpn", new Text("one of the listener's `alpn`"), "any", "Protocol that was negotiated.");
    static final Key ROUTE_BACKEND = Key.required(
            "backend", new Text("a name in `backends`"), "web", "Destination of the connections that match.");
    static final SectionKeys ROUTE = new SectionKeys(
            "route",
            "listeners[].routes[]",
            "Routes",
            "The first route that matches decides. A connection that none matches is closed.",
            List.of(ROUTE_SNI, ROUTE_ALPN, ROUTE_BACKEND));

    static final Key PROXY_FROM = Key.required(
            "from",
            new Texts("addresses, and ranges such as `10.0.0.0/8`"),
            "[10.0.0.0/8]",
            "Proxies whose PROXY headers are trusted.");
    static final SectionKeys PROXY_PROTOCOL = new SectionKeys(
            "proxyProtocol",
            "listeners[].proxy-protocol",
            "PROXY protocol of a listener",
            "See [PROXY protocol](guide/proxy-protocol.md).",
            List.of(PROXY_FROM));

    static final Key ADDRESS = Key.required(
            "address",
            new Text("`host:port` or `\"[v6]:port\"`"),
            "0.0.0.0:8443",
            "Address to listen on; with port 0 the kernel chooses one.");
    static final Key SOCKET = Key.optional(
            "socket",
            new Text("a name"),
            "Name of a socket that systemd has opened for this listener (`FileDescriptorName`).");
    static final Key CERTIFICATES = Key.required(
            "certificates",
            new Texts("names in `certificates`"),
            "[shop]",
            "Certificates offered; the first is for clients whose server name none covers.");
    static final Key ALPN = Key.optional(
            "alpn",
            new Texts("protocol names"),
            "Protocols offered, in order of preference; clients that offer only others are rejected.");
    static final Key ROUTES =
            Key.optional("routes", new Group(Shape.LIST, ROUTE), "Destinations by server name and protocol.");
    static final Key BACKEND = Key.optional(
            "backend", new Text("a name in `backends`"), "The destination of every connection, in place of `routes`.");
    static final Choice<TlsProfile> PROFILES = Choice.of(TlsProfile.class);
    static final Key PROFILE = Key.optional(
            "profile", PROFILES, "Mozilla's Server Side TLS 6.0, for what the next three keys leave open.");
    static final ValueKey<TlsVersion> MIN_VERSION = Key.of(
            "min-version",
            new Choice<>(List.of(TlsVersion.values()), TlsVersion::text),
            TlsOptions.DEFAULT.minVersion(),
            "`1.2`, or the profile's",
            "Oldest TLS version accepted.");
    static final Key CIPHERS = Key.optional(
            "ciphers",
            new Texts("cipher suites"),
            "AES-128-GCM, AES-256-GCM, ChaCha20-Poly1305",
            "Cipher suites in order of preference, by OpenSSL's names; from OpenSSL 3.2 also by IANA's.");
    static final Key GROUPS = Key.optional(
            "groups",
            new Texts("groups"),
            "X25519MLKEM768, X25519, P-256, P-384",
            "Key-exchange groups in order of preference. By default those that OpenSSL has.");
    static final ValueKey<EarlyDataMode> EARLY_DATA = Key.of(
            "early-data",
            Choice.of(EarlyDataMode.class),
            TlsOptions.DEFAULT.earlyData(),
            "Treatment of early data (0-RTT), which an attacker may record and replay.");
    static final Key PROXY = Key.optional(
            "proxy-protocol",
            new Group(Shape.SECTION, PROXY_PROTOCOL),
            "Proxies in front of the gateway, which name their clients by PROXY headers.");
    static final ValueKey<Integer> CONNECTIONS = Key.of(
            "connections",
            new Whole(1, LimitsKeys.CONNECTIONS_MAX),
            AcceptPolicy.DEFAULT.connections(),
            Key.NONE,
            "Maximum number of connections of this listener, within `limits.connections`.");
    static final ValueKey<Boolean> STRICT_SNI = Key.of(
            "strict-sni",
            new OnOff(),
            AcceptPolicy.DEFAULT.namesRequired(),
            "`on`: reject clients whose server name neither a certificate nor `hosts` covers.");
    static final ValueKey<Boolean> ALPN_REQUIRED = Key.of(
            "alpn-required",
            new OnOff(),
            AcceptPolicy.DEFAULT.alpnRequired(),
            "`on`: reject clients that offer no protocol by ALPN.");

    static final SectionKeys SECTION = new SectionKeys(
            "listener",
            "listeners[]",
            "Listeners",
            "Exactly one of `backend` and `routes` is required.",
            List.of(
                    ADDRESS,
                    SOCKET,
                    CERTIFICATES,
                    ALPN,
                    ROUTES,
                    BACKEND,
                    PROFILE,
                    MIN_VERSION,
                    CIPHERS,
                    GROUPS,
                    EARLY_DATA,
                    ClientPolicyKeys.MODE,
                    ClientPolicyKeys.AUTHORITIES,
                    ClientPolicyKeys.REVOCATIONS,
                    ClientPolicyKeys.DEPTH,
                    ClientPolicyKeys.NAMES,
                    ClientPolicyKeys.HOSTS,
                    PROXY,
                    CONNECTIONS,
                    BackendKeys.KEEPALIVE,
                    STRICT_SNI,
                    ALPN_REQUIRED),
            List.of(BACKEND, ROUTES));

    private ListenerKeys() {}
}
