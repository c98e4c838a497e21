package dev.sluice.config.read;

import dev.sluice.config.key.TopKeys;
import dev.sluice.config.model.AdminConfig;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.ClientAuth;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.OperationConfig;
import dev.sluice.config.model.SessionSharing;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.monitoring.AlertConfig;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.config.yaml.Environment;
import dev.sluice.config.yaml.HostLookup;
import dev.sluice.config.yaml.Problems;
import dev.sluice.config.yaml.Reading;
import dev.sluice.config.yaml.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The reader of a configuration file. It checks keys, types, bounds, references, files, and, through a {@link
 * TlsCheck}, that private keys match certificates; all problems are reported together.
 */
public final class ConfigFile {
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
     * Reads a file, and the files that it includes.
     *
     * @param path as the user named it; relative paths in the files start at its directory
     * @throws ConfigException with all problems
     */
    public static GatewayConfig read(Path path, TlsCheck check) throws ConfigException {
        return parse(ConfigSource.read(path), check);
    }

    /**
     * Reads a configuration of the contents of its files. The files that it names, certificates and keys, are read now.
     *
     * @throws ConfigException with all problems
     */
    public static GatewayConfig parse(ConfigSource source, TlsCheck check) throws ConfigException {
        return parseWithPlaces(source, check).config();
    }

    /**
     * Reads a configuration with the positions of its parts.
     *
     * @throws ConfigException with all problems
     */
    public static ReadConfig parseWithPlaces(ConfigSource source, TlsCheck check) throws ConfigException {
        return parseWithPlaces(source, check, HostLookup.SYSTEM);
    }

    /**
     * Reads a configuration with the positions of its parts and another resolver of names to listen on. Names of
     * servers are not resolved.
     *
     * @throws ConfigException with all problems
     */
    public static ReadConfig parseWithPlaces(ConfigSource source, TlsCheck check, HostLookup hosts)
            throws ConfigException {
        return parse(source, check, Environment.ofProcess(), hosts);
    }

    /** Returns the user that a configuration names, whatever is wrong with the rest; null: none. */
    public static @Nullable String user(ConfigSource source) {
        Reading reading =
                new Reading(new Problems(source.path().toString()), Environment.ofProcess(), HostLookup.SYSTEM);
        Section section = Section.of(new Value(reading, source.root(), "the configuration"), TopKeys.SECTION);
        return section == null ? null : text(section.find(TopKeys.USER));
    }

    static ReadConfig parse(ConfigSource source, TlsCheck check, Environment environment, HostLookup hosts)
            throws ConfigException {
        return new ConfigFile(source, check, environment, hosts).parse();
    }

    private ReadConfig parse() throws ConfigException {
        Node root = source.root();
        Section section = Section.of(new Value(reading, root, "the configuration"), TopKeys.SECTION);
        if (section == null) {
            throw reading.problems().exception();
        }
        GatewayConfig config = read(section);
        requireOneCertificateForHaproxy(section.find(TopKeys.TICKETS), config);
        reading.problems().throwIfAny();
        return new ReadConfig(config, source, root, reading);
    }

    /** Rejects a second certificate, since HAProxy binds sessions to none: one would resume under the other. */
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
                    "shared-with is haproxy, and listeners have " + certificates + " certificates: HAProxy binds"
                            + " sessions to none, so a session of one would resume under another; use one"
                            + " certificate, or remove"
                            + " shared-with");
        }
    }

    private GatewayConfig read(Section root) {
        Value certificateSection = root.require(TopKeys.CERTIFICATES);
        Value backendSection = root.require(TopKeys.BACKENDS);
        CertificateLoading loading = new CertificateLoading(check);
        AcmeReader acme = new AcmeReader(directory, root.find(TopKeys.ACME));
        Map<String, Optional<List<CertificateConfig>>> certificates =
                named(certificateSection, new CertificateReader(directory, loading, acme)::read);
        Map<String, Optional<BackendConfig>> backends =
                named(backendSection, new BackendReader(directory, check, certificates)::read);
        TicketConfig tickets = new TicketReader(directory, check).read(root.findOrEmpty(TopKeys.TICKETS));
        AdminConfig admin = new AdminReader(directory).read(root.find(TopKeys.ADMIN));
        List<ListenerConfig> listeners =
                listeners(root, new ListenerReader(directory, check, loading, tickets != null, certificates, backends));
        acme.requireListeners(listeners);
        acme.requireStore(tickets);
        return new GatewayConfig(
                listeners,
                present(certificates).stream().flatMap(List::stream).toList(),
                loading.sources(),
                present(backends),
                LimitsReader.read(root.findOrEmpty(TopKeys.LIMITS)),
                root.get(TopKeys.LOOPS),
                root.get(TopKeys.TRANSPORT),
                tickets,
                new OcspReader(directory).read(root.findOrEmpty(TopKeys.OCSP)),
                admin,
                alerts(root, admin, tickets),
                new AccessLogReader(directory).read(root.find(TopKeys.ACCESS_LOG)),
                root.get(TopKeys.DRAIN),
                root.get(TopKeys.WARM_UP),
                new OperationConfig(
                        new LogReader(directory).read(root.findOrEmpty(TopKeys.LOG)),
                        OtlpReader.read(root.find(TopKeys.METRICS)),
                        text(root.find(TopKeys.USER))));
    }

    private static @Nullable String text(@Nullable Value value) {
        return value == null ? null : value.text();
    }

    /** Reads the alerts; without an admin interface they are off by default. */
    private @Nullable AlertConfig alerts(Section root, AdminConfig admin, @Nullable TicketConfig tickets) {
        return admin.equals(AdminConfig.NONE) && root.find(TopKeys.ALERTS) == null
                ? null
                : new AlertReader(directory, tickets).read(root.findOrEmpty(TopKeys.ALERTS));
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
        Value value = root.require(TopKeys.LISTENERS);
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
}
