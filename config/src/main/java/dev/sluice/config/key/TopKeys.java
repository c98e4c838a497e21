package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.Choice;
import dev.sluice.config.key.KeyType.Group;
import dev.sluice.config.key.KeyType.Shape;
import dev.sluice.config.key.KeyType.Text;
import dev.sluice.config.key.KeyType.Texts;
import dev.sluice.config.key.KeyType.Time;
import dev.sluice.config.key.KeyType.Whole;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.config.model.WarmUpMode;
import java.time.Duration;
import java.util.List;

/** The keys at the top of a configuration. */
public final class TopKeys {
    public static final Key INCLUDE = Key.optional(
            "include",
            new Texts("paths, or patterns such as `conf.d/*.yaml`"),
            "Files whose sections are added, relative to this file's directory.");
    public static final Key LISTENERS = Key.required(
            "listeners",
            new Group(Shape.LIST, ListenerKeys.SECTION),
            "[{address: 0.0.0.0:8443, certificates: [shop], backend: web}]",
            "The addresses that clients connect to.");
    public static final Key CERTIFICATES = Key.required(
            "certificates",
            new Group(Shape.NAMED, CertificateKeys.SECTION),
            "{shop: {chain: shop.pem, key: shop.key}}",
            "Certificates, each under a name of your choice.");
    public static final Key BACKENDS = Key.required(
            "backends",
            new Group(Shape.NAMED, BackendKeys.SECTION),
            "{web: {servers: [127.0.0.1:8080]}}",
            "Groups of servers that receive the plaintext, each under a name of your choice.");
    public static final Key LIMITS = Key.optional(
            "limits",
            new Group(Shape.SECTION, LimitsKeys.SECTION),
            "the keys' defaults",
            "Bounds on time, connections and memory.");
    public static final ValueKey<Integer> LOOPS = Key.of(
                    "loops",
                    new Whole(1, 1024),
                    GatewayConfig.defaultLoops(),
                    "one per processor",
                    "Number of event loops, each a thread.")
            .takesRestart(GatewayConfig::loops);
    public static final ValueKey<TransportChoice> TRANSPORT = Key.of(
                    "transport",
                    new Choice<>(List.of(TransportChoice.values()), TransportChoice::text),
                    TransportChoice.AUTO,
                    "What the event loops run on; `auto`: io_uring where the kernel permits it, else epoll.")
            .takesRestart(GatewayConfig::transport);
    public static final Key TICKETS = Key.optional(
                    "tickets",
                    new Group(Shape.ON_OFF_OR_SECTION, TicketSectionKeys.SECTION),
                    "`on`",
                    "Session resumption by ticket. Turning it off takes effect on reload.")
            .takesRestart(GatewayConfig::tickets);
    public static final Key ACME = Key.optional(
            "acme",
            new Group(Shape.SECTION, AcmeKeys.SECTION),
            "the keys' defaults",
            "What the certificates with `acme` have in common.");
    public static final Key OCSP = Key.optional(
            "ocsp",
            new Group(Shape.ON_OFF_OR_SECTION, OcspKeys.SECTION),
            "`on`",
            "Stapling of OCSP responses to certificates that name a responder.");
    public static final Key ADMIN = Key.optional(
                    "admin",
                    new Group(Shape.TEXT_OR_SECTION, AdminKeys.SECTION),
                    "Unix socket for commands, such as `unix:/run/sluice/admin.sock`; or a section.")
            .takesRestart(GatewayConfig::admin);
    public static final Key ALERTS = Key.optional(
            "alerts",
            new Group(Shape.ON_OFF_OR_SECTION, AlertKeys.SECTION),
            "`on` with `admin`, else `off`",
            "Alerts on the gateway's own metrics.");
    public static final Key ACCESS_LOG = Key.optional(
            "access-log",
            new Group(Shape.OFF_OR_SECTION, AccessLogKeys.SECTION),
            "`off`",
            "One line of JSON for each connection.");
    public static final Key LOG = Key.optional(
            "log",
            new Group(Shape.SECTION, LogKeys.SECTION),
            "text to standard error",
            "The log of the gateway itself.");
    public static final Key METRICS =
            Key.optional("metrics", new Group(Shape.SECTION, MetricsKeys.SECTION), "Where metrics are pushed to.");
    public static final ValueKey<Duration> DRAIN = Key.of(
            "drain",
            new Time(Duration.ZERO, Duration.ofDays(1)),
            Duration.ofSeconds(30),
            "Grace period of open connections after SIGTERM.");

    public static final ValueKey<WarmUpMode> WARM_UP = Key.of(
            "warm-up",
            Choice.of(WarmUpMode.class),
            WarmUpMode.ON,
            "`on`: be ready after handshakes with itself, for which the JVM has compiled the code.");

    public static final Key USER = Key.optional(
                    "user",
                    new Text("a user of this machine"),
                    "the user that starts it",
                    "User that a gateway which root starts becomes before it opens anything but this file.")
            .takesRestart(config -> config.operation().user());

    public static final SectionKeys SECTION = new SectionKeys(
            "configuration",
            "",
            "Top level",
            "An included file may hold any of these keys but `include`.",
            List.of(
                    LISTENERS,
                    CERTIFICATES,
                    BACKENDS,
                    LIMITS,
                    LOOPS,
                    TRANSPORT,
                    TICKETS,
                    ACME,
                    OCSP,
                    ADMIN,
                    ALERTS,
                    ACCESS_LOG,
                    LOG,
                    METRICS,
                    DRAIN,
                    WARM_UP,
                    USER,
                    INCLUDE));

    private TopKeys() {}
}
