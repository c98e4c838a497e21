package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.Choice;
import dev.sluice.config.key.KeyType.Group;
import dev.sluice.config.key.KeyType.OnOff;
import dev.sluice.config.key.KeyType.Shape;
import dev.sluice.config.key.KeyType.Text;
import dev.sluice.config.key.KeyType.Texts;
import dev.sluice.config.key.KeyType.Whole;
import dev.sluice.config.model.AcceptPolicy;
import dev.sluice.config.model.EarlyDataMode;
import dev.sluice.config.model.ListenerConfig.ClientFingerprint;
import dev.sluice.config.model.RecordProtection;
import dev.sluice.config.model.RouteTls;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.config.model.TlsProfile;
import dev.sluice.config.model.TlsVersion;
import dev.sluice.tls.context.HandshakePath;
import java.util.List;
import java.util.Map;

/** The keys of a listener, and of its routes. */
public final class ListenerKeys {
    public static final Key ROUTE_SNI = Key.optional(
            "sni",
            new Text("a host name, or `*.example.com`"),
            "any",
            "Server name of the client; the wildcard covers the names one level below.");
    public static final Key ROUTE_ALPN = Key.optional(
            "alpn",
            new Text("a protocol; one of the listener's `alpn` where TLS is terminated"),
            "any",
            "Protocol that was negotiated; with `tls: passthrough`, one that the client offers.");
    public static final ValueKey<RouteTls> ROUTE_TLS = Key.of(
            "tls",
            Choice.of(RouteTls.class),
            RouteTls.TERMINATE,
            "`passthrough`: relay the connection as it is, its TLS included.");
    public static final Key ROUTE_BACKEND = Key.required(
            "backend", new Text("a name in `backends`"), "web", "Destination of the connections that match.");
    public static final SectionKeys ROUTE = new SectionKeys(
            "route",
            "listeners[].routes[]",
            "Routes",
            "The first route that matches decides. A connection that none matches is closed.",
            List.of(ROUTE_SNI, ROUTE_ALPN, ROUTE_BACKEND, ROUTE_TLS));

    public static final Key PROXY_FROM = Key.required(
            "from",
            new Texts("addresses, and ranges such as `10.0.0.0/8`"),
            "[10.0.0.0/8]",
            "Proxies whose PROXY headers are trusted.");
    public static final SectionKeys PROXY_PROTOCOL = new SectionKeys(
            "proxyProtocol",
            "listeners[].proxy-protocol",
            "PROXY protocol of a listener",
            "See [PROXY protocol](guide/proxy-protocol.md).",
            List.of(PROXY_FROM));

    public static final Key ADDRESS = Key.required(
            "address",
            new Text("`host:port` or `\"[v6]:port\"`"),
            "0.0.0.0:8443",
            "Address to listen on; with port 0 the kernel chooses one.");
    public static final Key SOCKET = Key.optional(
            "socket",
            new Text("a name"),
            "Name of a socket that systemd has opened for this listener (`FileDescriptorName`).");
    public static final Key CERTIFICATES = Key.optional(
            "certificates",
            new Texts("names in `certificates`"),
            "Certificates offered; the first is for clients whose server name none covers. Required to"
                    + " terminate TLS.");
    public static final Key ALPN = Key.optional(
            "alpn",
            new Texts("protocol names"),
            "Protocols offered, in order of preference; clients that offer only others are rejected.");
    public static final Key ROUTES =
            Key.optional("routes", new Group(Shape.LIST, ROUTE), "Destinations by server name and protocol.");
    public static final Key BACKEND = Key.optional(
            "backend", new Text("a name in `backends`"), "The destination of every connection, in place of `routes`.");
    public static final ValueKey<Integer> REDIRECT = Key.of(
            "redirect",
            new Whole(1, 65_535),
            0,
            Key.NONE,
            "Speak plain HTTP, and redirect every request to https on this port of its host. In place of `backend`.");
    public static final ValueKey<Boolean> TLS = Key.of(
            "tls",
            new OnOff(),
            true,
            "`off`: relay connections of any protocol to `backend` as they are, without TLS.");
    public static final Choice<TlsProfile> PROFILES = Choice.of(TlsProfile.class);
    public static final Key PROFILE = Key.optional(
            "profile", PROFILES, "Mozilla's Server Side TLS 6.0, for what the next three keys leave open.");
    public static final ValueKey<TlsVersion> MIN_VERSION = Key.of(
            "min-version",
            new Choice<>(List.of(TlsVersion.values()), TlsVersion::text),
            TlsOptions.DEFAULT.minVersion(),
            "`1.2`, or the profile's",
            "Oldest TLS version accepted.");
    public static final Key CIPHERS = Key.optional(
            "ciphers",
            new Texts("cipher suites"),
            "AES-128-GCM, AES-256-GCM, ChaCha20-Poly1305",
            "Cipher suites in order of preference, by OpenSSL's names; from OpenSSL 3.2 also by IANA's.");
    public static final Key GROUPS = Key.optional(
            "groups",
            new Texts("groups"),
            "X25519MLKEM768, X25519, P-256, P-384",
            "Key-exchange groups in order of preference. By default those that OpenSSL has.");
    public static final ValueKey<EarlyDataMode> EARLY_DATA = Key.of(
            "early-data",
            Choice.of(EarlyDataMode.class),
            TlsOptions.DEFAULT.earlyData(),
            "Treatment of early data (0-RTT), which an attacker may record and replay.");
    public static final ValueKey<HandshakePath> HANDSHAKE = Key.of(
            "handshake",
            Choice.of(HandshakePath.class),
            TlsOptions.DEFAULT.handshake(),
            "`lean`: answer common TLS 1.3 handshakes without libssl, at less CPU. `auto`: lean except under FIPS.");
    public static final ValueKey<RecordProtection> RECORDS = Key.of(
            "records",
            Choice.of(RecordProtection.class),
            TlsOptions.DEFAULT.records(),
            "`kernel`: the kernel protects records (kTLS), or no start; a KeyUpdate ends those. `auto`: where it can.");
    public static final ValueKey<Boolean> CERTIFICATE_COMPRESSION = Key.of(
            "certificate-compression",
            new OnOff(),
            TlsOptions.DEFAULT.compressed(),
            "`on`: send compressed certificates (RFC 8879) to clients that accept them; needs OpenSSL 3.2 or later.");
    public static final Key ECH = Key.optional(
            "ech", new Group(Shape.SECTION, EchKeys.SECTION), "Encrypted ClientHello; needs OpenSSL 4.0 or later.");
    public static final Key PROXY = Key.optional(
            "proxy-protocol",
            new Group(Shape.SECTION, PROXY_PROTOCOL),
            "Proxies in front of the gateway, which name their clients by PROXY headers.");
    public static final ValueKey<Integer> CONNECTIONS = Key.of(
            "connections",
            new Whole(1, LimitsKeys.CONNECTIONS_MAX),
            AcceptPolicy.DEFAULT.connections(),
            Key.NONE,
            "Maximum number of connections of this listener, within `limits.connections`.");
    public static final Key ALLOW = Key.optional(
            "allow",
            new Texts("addresses, and ranges such as `10.0.0.0/8`"),
            "every address",
            "Addresses of clients that are served.");
    public static final Key DENY = Key.optional(
            "deny",
            new Texts("addresses, and ranges such as `10.0.0.0/8`"),
            "Addresses of clients that are refused, also where `allow` has them.");
    public static final ValueKey<Boolean> STRICT_SNI = Key.of(
            "strict-sni",
            new OnOff(),
            AcceptPolicy.DEFAULT.namesRequired(),
            "`on`: reject clients whose server name neither a certificate nor `hosts` covers.");
    public static final ValueKey<Boolean> ALPN_REQUIRED = Key.of(
            "alpn-required",
            new OnOff(),
            AcceptPolicy.DEFAULT.alpnRequired(),
            "`on`: reject clients that offer no protocol by ALPN.");
    public static final ValueKey<Boolean> ANSWER_HTTP = Key.of(
            "answer-http",
            new OnOff(),
            AcceptPolicy.DEFAULT.answersHttp(),
            "`on`: answer plain HTTP on the TLS port by a `400` that names the https address; `off`: close.");

    public static final ValueKey<ClientFingerprint> FINGERPRINT = Key.of(
            "fingerprint",
            Choice.of(ClientFingerprint.class),
            ClientFingerprint.OFF,
            "Fingerprint of clients by their ClientHello, for the access log and PROXY headers.");

    public static final SectionKeys SECTION = new SectionKeys(
            "listener",
            "listeners[]",
            "Listeners",
            "Exactly one of `backend`, `routes` and `redirect` is required.",
            List.of(
                    ADDRESS,
                    SOCKET,
                    CERTIFICATES,
                    ALPN,
                    ROUTES,
                    BACKEND,
                    REDIRECT,
                    TLS,
                    PROFILE,
                    MIN_VERSION,
                    CIPHERS,
                    GROUPS,
                    EARLY_DATA,
                    HANDSHAKE,
                    RECORDS,
                    CERTIFICATE_COMPRESSION,
                    ECH,
                    ClientPolicyKeys.MODE,
                    ClientPolicyKeys.AUTHORITIES,
                    ClientPolicyKeys.REVOCATIONS,
                    ClientPolicyKeys.DEPTH,
                    ClientPolicyKeys.NAMES,
                    ClientPolicyKeys.HOSTS,
                    PROXY,
                    ALLOW,
                    DENY,
                    CONNECTIONS,
                    BackendKeys.KEEPALIVE,
                    STRICT_SNI,
                    ALPN_REQUIRED,
                    ANSWER_HTTP,
                    FINGERPRINT),
            List.of(BACKEND, ROUTES, REDIRECT),
            Map.of());

    /** The keys that a listener with {@link #REDIRECT} may have besides; all others are about TLS and backends. */
    public static final List<Key> OF_REDIRECT =
            List.of(ADDRESS, SOCKET, REDIRECT, PROXY, ALLOW, DENY, CONNECTIONS, BackendKeys.KEEPALIVE);

    /** The keys that a listener with {@link #TLS} off may have. */
    public static final List<Key> OF_PLAIN =
            List.of(ADDRESS, SOCKET, TLS, BACKEND, PROXY, CONNECTIONS, BackendKeys.KEEPALIVE);

    private ListenerKeys() {}
}
