package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.Choice;
import dev.sluice.config.key.KeyType.Group;
import dev.sluice.config.key.KeyType.OnOff;
import dev.sluice.config.key.KeyType.Shape;
import dev.sluice.config.key.KeyType.Text;
import dev.sluice.config.key.KeyType.Texts;
import dev.sluice.config.key.KeyType.Time;
import dev.sluice.config.key.KeyType.Whole;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendConfig.ConnectMode;
import dev.sluice.config.model.BackendTlsConfig;
import dev.sluice.config.model.Balance;
import dev.sluice.config.model.EjectConfig;
import dev.sluice.config.model.HealthConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.ResolveConfig;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.config.model.TlsVersion;
import java.time.Duration;
import java.util.List;

/** The keys of a backend. */
public final class BackendKeys {
    private static final Time CONNECT_TIME = new Time(Duration.ofMillis(10), Duration.ofMinutes(5));
    private static final Time PERIOD = new Time(Duration.ofMillis(50), Duration.ofHours(1));
    private static final Whole IN_A_ROW = new Whole(1, 100);

    // --- tls --------------------------------------------------------------------------------------------------------

    public static final Key TLS_AUTHORITIES = Key.optional(
            "ca",
            new Text("a PEM file, or `system`"),
            "`system`",
            "Authorities that the servers' certificates must chain to; `system`: those that the system trusts.");
    public static final Key TLS_SERVER_NAME = Key.optional(
            "server-name",
            new Text("a host name"),
            "the host in the server's address",
            "Name that the certificate must be valid for, sent as SNI; required for Unix sockets.");
    public static final ValueKey<Boolean> TLS_VERIFY = Key.of(
            "verify",
            new OnOff(),
            BackendTlsConfig.DEFAULT.verify(),
            "Certificate verification; `off` accepts any server, and is for tests.");
    public static final Key TLS_CERTIFICATE = Key.optional(
            "certificate", new Text("a name in `certificates`"), "Certificate that the gateway presents as a client.");
    public static final ValueKey<TlsVersion> TLS_MIN_VERSION = Key.of(
            "min-version",
            new Choice<>(List.of(TlsVersion.values()), TlsVersion::text),
            BackendTlsConfig.DEFAULT.minVersion(),
            "Oldest TLS version accepted.");
    public static final Key TLS_ALPN = Key.optional(
            "alpn", new Texts("protocol names"), "Protocols offered to the server, in order of preference.");
    public static final SectionKeys TLS = new SectionKeys(
            "backendTls",
            "backends.NAME.tls",
            "TLS to a backend",
            "See [Backends](guide/backends.md).",
            List.of(TLS_AUTHORITIES, TLS_SERVER_NAME, TLS_VERIFY, TLS_CERTIFICATE, TLS_MIN_VERSION, TLS_ALPN));

    // --- health -----------------------------------------------------------------------------------------------------

    public static final ValueKey<HealthConfig.Kind> HEALTH_KIND = Key.of(
            "kind",
            Choice.of(HealthConfig.Kind.class),
            HealthConfig.DEFAULT.kind(),
            "A TCP connect, a TLS handshake, or a `GET` that must be answered by 2xx or 3xx.");
    public static final Key HEALTH_PATH = Key.optional(
            "path",
            new Text("a path"),
            "`" + HealthConfig.DEFAULT.path() + "`",
            "Path of the request, with `kind: http`.");
    public static final Key HEALTH_HOST = Key.optional(
            "host", new Text("a host name"), "the server's address", "Host field of the request, with `kind: http`.");
    public static final ValueKey<Duration> HEALTH_INTERVAL = Key.of(
            "interval",
            PERIOD,
            HealthConfig.DEFAULT.interval(),
            "Time from one check to the next, give or take a tenth.");
    public static final ValueKey<Duration> HEALTH_TIMEOUT =
            Key.of("timeout", CONNECT_TIME, HealthConfig.DEFAULT.timeout(), "Time limit of a whole check.");
    public static final ValueKey<Integer> HEALTH_RISE = Key.of(
            "rise", IN_A_ROW, HealthConfig.DEFAULT.rise(), "Consecutive checks that must pass before a server is up.");
    public static final ValueKey<Integer> HEALTH_FALL = Key.of(
            "fall",
            IN_A_ROW,
            HealthConfig.DEFAULT.fall(),
            "Consecutive checks that must fail before a server is down.");
    public static final SectionKeys HEALTH = new SectionKeys(
            "health",
            "backends.NAME.health",
            "Health checks",
            "See [Backends](guide/backends.md).",
            List.of(HEALTH_KIND, HEALTH_PATH, HEALTH_HOST, HEALTH_INTERVAL, HEALTH_TIMEOUT, HEALTH_RISE, HEALTH_FALL));

    // --- eject ------------------------------------------------------------------------------------------------------

    public static final ValueKey<Integer> EJECT_AFTER = Key.of(
            "after", IN_A_ROW, EjectConfig.DEFAULT.after(), "Consecutive connects that must fail, over all loops.");
    public static final ValueKey<Duration> EJECT_FOR = Key.of(
            "for",
            PERIOD,
            EjectConfig.DEFAULT.time(),
            "First ejection time; doubled when the server fails again at once.");
    public static final ValueKey<Duration> EJECT_LONGEST = Key.of(
            "longest",
            PERIOD,
            EjectConfig.DEFAULT.longest(),
            "`1m`, or `for` if that is longer",
            "Longest ejection time; at least `for`.");
    public static final SectionKeys EJECT = new SectionKeys(
            "eject",
            "backends.NAME.eject",
            "Ejection",
            "See [Backends](guide/backends.md).",
            List.of(EJECT_AFTER, EJECT_FOR, EJECT_LONGEST));

    // --- servers ----------------------------------------------------------------------------------------------------

    public static final Key SERVER_ADDRESS = Key.required(
            "address",
            new Text("`host:port`, `\"unix:/path\"`, or `srv:NAME`"),
            "127.0.0.1:8080",
            "Address of the server, or a name of servers; alone in the list, it has the defaults below.");
    public static final ValueKey<Integer> SERVER_WEIGHT = Key.of(
            "weight",
            new Whole(1, ServerConfig.WEIGHT_MAX),
            ServerConfig.DEFAULT_WEIGHT,
            "Share of the connections: one of weight 3 gets three times as many as one of weight 1.");
    public static final ValueKey<Boolean> SERVER_BACKUP =
            Key.of("backup", new OnOff(), false, "Use only while no server without `backup` takes connections.");
    public static final SectionKeys SERVER = new SectionKeys(
            "server",
            "backends.NAME.servers[]",
            "Servers",
            "See [Weights and backups](guide/backends.md#weights-and-backups).",
            List.of(SERVER_ADDRESS, SERVER_WEIGHT, SERVER_BACKUP));

    // --- the backend itself -----------------------------------------------------------------------------------------

    public static final Key SERVERS = Key.required(
            "servers",
            new Group(Shape.TEXTS_OR_SECTIONS, SERVER),
            "[127.0.0.1:8080]",
            "The servers. One that does not accept a connection is skipped, and the next is tried.");
    public static final ValueKey<Balance> BALANCE = Key.of(
            "balance",
            Choice.of(Balance.class),
            Balance.ROUND_ROBIN,
            "Load balancing, by what each loop sees itself; `hash` goes by the client's address.");
    public static final ValueKey<ProxyProtocol> PROXY_PROTOCOL = Key.of(
            "proxy-protocol",
            Choice.of(ProxyProtocol.class),
            ProxyProtocol.NONE,
            "PROXY header with the client's address; `v2` adds the facts of its TLS session.");
    public static final ValueKey<ConnectMode> CONNECT = Key.of(
            "connect",
            Choice.of(ConnectMode.class),
            ConnectMode.AT_ONCE,
            "Connect after the client's handshake, beside it, or on its first byte, which no server may precede.");
    public static final ValueKey<Duration> CONNECT_TIMEOUT = Key.of(
            "connect-timeout",
            CONNECT_TIME,
            BackendConfig.DEFAULT_CONNECT_TIMEOUT,
            "Time limit of a server to accept a connection, and again to complete a TLS handshake.");
    public static final ValueKey<Integer> RETRIES = Key.of(
            "retries",
            new Whole(0, 1000),
            BackendConfig.ALL_OTHERS,
            "all others",
            "Number of other servers to try when one does not accept a connection.");
    public static final Key TLS_OR_NOT =
            Key.optional("tls", new Group(Shape.ON_OFF_OR_SECTION, TLS), "`off`", "TLS to the servers.");
    public static final Key HEALTH_CHECKS =
            Key.optional("health", new Group(Shape.SECTION, HEALTH), "Health checks of the servers.");
    public static final Key EJECTION = Key.optional(
            "eject",
            new Group(Shape.ON_OFF_OR_SECTION, EJECT),
            "`on`",
            "Ejection of servers that accept no connections.");
    public static final ValueKey<Duration> SLOW_START = Key.of(
            "slow-start",
            new Time(Duration.ZERO, Duration.ofHours(1)),
            BackendConfig.DEFAULT_SLOW_START,
            "Time in which a server that comes back, or that DNS adds, gets its full share; `0s`: at once.");
    public static final ValueKey<Duration> KEEPALIVE = Key.of(
            "keepalive",
            new Time(Duration.ofSeconds(1), Duration.ofHours(9)), // Linux's MAX_TCP_KEEPIDLE is 32,767 s
            Duration.ZERO,
            Key.NONE,
            "Idle time after which the kernel probes the peer, three times within as long again.");
    public static final ValueKey<Duration> RESOLVE = Key.of(
            "resolve",
            new Time(Duration.ofSeconds(1), ResolveConfig.LONGEST),
            ResolveConfig.DEFAULT.longest(),
            "Longest time between two lookups of a name in `servers`, if its time to live is not shorter.");
    public static final Key NAMESERVERS = Key.optional(
            "nameservers",
            new Texts("`host:port`"),
            "the system's",
            "DNS servers that alone are asked for the names in `servers`, by their addresses.");

    public static final SectionKeys SECTION = new SectionKeys(
            "backend",
            "backends.NAME",
            "Backends",
            "Each is a group of servers that receive the same connections.",
            List.of(
                    SERVERS,
                    BALANCE,
                    PROXY_PROTOCOL,
                    CONNECT,
                    CONNECT_TIMEOUT,
                    RETRIES,
                    TLS_OR_NOT,
                    HEALTH_CHECKS,
                    EJECTION,
                    SLOW_START,
                    KEEPALIVE,
                    RESOLVE,
                    NAMESERVERS));

    private BackendKeys() {}
}
