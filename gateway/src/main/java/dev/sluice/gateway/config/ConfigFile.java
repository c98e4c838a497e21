package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads a configuration file. Everything is checked: keys, types, bounds, references, files, and, through a
 * {@link TlsCheck}, that keys fit certificates; all problems are reported together.
 */
public final class ConfigFile {
    private static final List<String> KEYS = List.of(
            "listeners",
            "certificates",
            "backends",
            "limits",
            "loops",
            "transport",
            "tickets",
            "ocsp",
            "admin",
            "alerts",
            "access-log",
            "drain",
            ConfigSource.INCLUDE);
    private static final Duration DRAIN_MAX = Duration.ofDays(1);

    private final ConfigSource source;
    private final TlsCheck check;
    private final Path directory;
    private final Reading reading;

    private ConfigFile(ConfigSource source, TlsCheck check, Environment environment, HostLookup hosts) {
        this.source = source;
        this.check = check;
        this.directory = source.directory();
        this.reading = new Reading(new Problems(source.path().toString()), environment, hosts);
    }

    /**
     * Reads a file, and those that it includes.
     *
     * @param path as the user named it; relative paths in the files start at its directory
     * @throws ConfigException with everything that is wrong
     */
    public static GatewayConfig read(Path path, TlsCheck check) throws ConfigException {
        return parse(ConfigSource.read(path), check);
    }

    /**
     * Makes a configuration of what its files held. The files that it names, certificates and keys, are read now.
     *
     * @throws ConfigException with everything that is wrong
     */
    public static GatewayConfig parse(ConfigSource source, TlsCheck check) throws ConfigException {
        return parseWithPlaces(source, check).config();
    }

    /**
     * The same, for those who tell people where something stands.
     *
     * @throws ConfigException with everything that is wrong
     */
    public static ReadConfig parseWithPlaces(ConfigSource source, TlsCheck check) throws ConfigException {
        return parseWithPlaces(source, check, HostLookup.SYSTEM);
    }

    /**
     * The same where names to listen on are looked up in another way. Names of servers are not looked up here.
     *
     * @throws ConfigException with everything that is wrong
     */
    public static ReadConfig parseWithPlaces(ConfigSource source, TlsCheck check, HostLookup hosts)
            throws ConfigException {
        return new ConfigFile(source, check, Environment.ofProcess(), hosts).parse();
    }

    static ReadConfig parse(ConfigSource source, TlsCheck check, Environment environment) throws ConfigException {
        return new ConfigFile(source, check, environment, HostLookup.SYSTEM).parse();
    }

    private ReadConfig parse() throws ConfigException {
        Node root = source.root();
        Section section = new Value(reading, root, "the configuration").section(KEYS);
        if (section == null) {
            throw reading.problems().exception();
        }
        GatewayConfig config = read(section);
        requireOneCertificateForHaproxy(section.find("tickets"), config);
        reading.problems().throwIfAny();
        return new ReadConfig(config, source, root, reading);
    }

    /** HAProxy ties sessions to no certificate, so with two of them a session of one would be resumed under the other. */
    private static void requireOneCertificateForHaproxy(@Nullable Value tickets, GatewayConfig config) {
        TicketConfig read = config.tickets();
        if (tickets == null || read == null || read.sharing() != SessionSharing.HAPROXY) {
            return;
        }
        long certificates = config.listeners().stream()
                .filter(listener -> listener.tls().clientAuth() == ClientAuth.NONE)
                .flatMap(listener -> listener.certificates().stream())
                .distinct()
                .count();
        if (certificates > 1) {
            tickets.problem(
                    "shared-with is haproxy, and listeners have " + certificates + " certificates: HAProxy's sessions"
                            + " are tied to none, so one made under one would be resumed under another; leave one, or leave out"
                            + " shared-with");
        }
    }

    private GatewayConfig read(Section root) {
        Value certificateSection = root.require("certificates", "{shop: {chain: shop.pem, key: shop.key}}");
        Value backendSection = root.require("backends", "{web: {servers: [127.0.0.1:8080]}}");
        CertificateLoading loading = new CertificateLoading(check);
        Map<String, Optional<List<CertificateConfig>>> certificates =
                named(certificateSection, new CertificateReader(directory, loading)::read);
        Map<String, Optional<BackendConfig>> backends =
                named(backendSection, new BackendReader(directory, check, certificates)::read);
        TicketConfig tickets = new TicketReader(directory, check).read(root.findOrEmpty("tickets"));
        AdminConfig admin = new AdminReader(directory).read(root.find("admin"));
        List<ListenerConfig> listeners =
                listeners(root, new ListenerReader(directory, check, loading, tickets != null, certificates, backends));
        return new GatewayConfig(
                listeners,
                present(certificates).stream().flatMap(List::stream).toList(),
                loading.sources(),
                present(backends),
                LimitsReader.read(root.findOrEmpty("limits")),
                root.integer("loops", 1, GatewayConfig.LOOPS_MAX, GatewayConfig.defaultLoops()),
                root.choice(
                        "transport", List.of(TransportChoice.values()), ConfigFile::transport, TransportChoice.AUTO),
                tickets,
                new OcspReader(directory).read(root.findOrEmpty("ocsp")),
                admin,
                alerts(root, admin, tickets),
                new AccessLogReader(directory).read(root.find("access-log")),
                root.duration("drain", Duration.ZERO, DRAIN_MAX, GatewayConfig.DEFAULT_DRAIN));
    }

    /** Where nobody looks at the gateway, nothing is watched unless it is asked for. */
    private @Nullable AlertConfig alerts(Section root, AdminConfig admin, @Nullable TicketConfig tickets) {
        return admin.equals(AdminConfig.NONE) && root.find("alerts") == null
                ? null
                : new AlertReader(directory, tickets).read(root.findOrEmpty("alerts"));
    }

    private static <T> Map<String, Optional<T>> named(@Nullable Value section, Function<Value, @Nullable T> reader) {
        Map<String, Optional<T>> result = new LinkedHashMap<>();
        if (section != null) {
            for (Value entry : section.namedEntries()) {
                result.put(entry.name(), Optional.ofNullable(reader.apply(entry)));
            }
        }
        return result;
    }

    private static <T> List<T> present(Map<String, Optional<T>> named) {
        return named.values().stream().flatMap(Optional::stream).toList();
    }

    private List<ListenerConfig> listeners(Section root, ListenerReader reader) {
        List<ListenerConfig> listeners = new ArrayList<>();
        Value value = root.require("listeners", "[{address: 0.0.0.0:8443, certificates: [shop], backend: web}]");
        if (value == null) {
            return listeners;
        }
        for (Value item : value.items()) {
            ListenerConfig listener = reader.read(item.named("a listener"));
            if (listener == null) {
                continue;
            }
            for (ListenerConfig other : listeners) {
                if (other.address().equals(listener.address())
                        && listener.address().getPort() != 0) {
                    item.problem("address " + BackendConfig.text(listener.address()) + " is taken by the listener at "
                            + other.origin() + "; give each listener its own");
                }
            }
            listeners.add(listener);
        }
        return listeners;
    }

    /** The kernel's own spelling, with an underscore. */
    private static String transport(TransportChoice choice) {
        return choice == TransportChoice.IO_URING ? "io_uring" : Section.dashed(choice);
    }
}
