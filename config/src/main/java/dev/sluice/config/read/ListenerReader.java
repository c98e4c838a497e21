package dev.sluice.config.read;

import dev.sluice.config.key.Key;
import dev.sluice.config.key.ListenerKeys;
import dev.sluice.config.model.AcceptPolicy;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.EarlyDataMode;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.RecordProtection;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.RouteTls;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.config.model.TlsProfile;
import dev.sluice.config.yaml.NearestName;
import dev.sluice.config.yaml.ProblemKind;
import dev.sluice.config.yaml.Value;
import dev.sluice.config.yaml.Words;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The reader of an entry of {@code listeners}; certificates and backends must have been read before. */
final class ListenerReader {
    private static final String HTTP_1_1 = "http/1.1";
    /** The length of a protocol's name, RFC 7301 section 3.1. */
    private static final int ALPN_BYTES_MAX = 255;

    /** The number of unusable files that a message names. */
    private static final int PROBLEMS_NAMED = 3;

    private final Path directory;
    private final TlsCheck check;
    private final CertificateLoading loading;
    private final boolean tickets;
    private final Map<String, Optional<List<CertificateConfig>>> certificates;
    private final Map<String, Optional<BackendConfig>> backends;
    private final EchReader ech;

    ListenerReader(
            Path directory,
            TlsCheck check,
            CertificateLoading loading,
            boolean tickets,
            Map<String, Optional<List<CertificateConfig>>> certificates,
            Map<String, Optional<BackendConfig>> backends) {
        this.directory = directory;
        this.check = check;
        this.loading = loading;
        this.tickets = tickets;
        this.certificates = certificates;
        this.backends = backends;
        this.ech = new EchReader(directory, check);
    }

    /** Reads a listener; null when its problems, which are reported, leave none. */
    @Nullable
    ListenerConfig read(Value entry) {
        Section section = Section.of(entry, ListenerKeys.SECTION);
        if (section == null) {
            return null;
        }
        Value addressValue = section.require(ListenerKeys.ADDRESS);
        InetSocketAddress address = addressValue == null ? null : addressValue.toListen("");
        if (section.find(ListenerKeys.REDIRECT) != null) {
            return redirecting(section, addressValue, address);
        }
        if (!section.get(ListenerKeys.TLS)) {
            return plain(section, addressValue, address);
        }
        List<String> alpn = alpn(section);
        List<RouteConfig> routes = routes(section, alpn);
        boolean terminates = routes.isEmpty() || !routes.stream().allMatch(RouteConfig::passes);
        List<CertificateConfig> offered = certificates(section, terminates);
        TlsOptions tls = tls(section, offered);
        AcceptPolicy acceptPolicy = AcceptPolicyReader.read(section, alpn, offered);
        checkEarlyData(section, tls.earlyData(), alpn, routes);
        if (addressValue == null || address == null || (offered.isEmpty() && terminates) || routes.isEmpty()) {
            return null;
        }
        return new ListenerConfig(
                address,
                offered,
                alpn,
                tls,
                routes,
                acceptPolicy,
                socket(section),
                ListenerConfig.Kind.TLS,
                0,
                section.get(ListenerKeys.FINGERPRINT),
                addressValue.place());
    }

    /** Reads a listener that relays without TLS. */
    private @Nullable ListenerConfig plain(
            Section section, @Nullable Value addressValue, @Nullable InetSocketAddress address) {
        refuseOthers(section, ListenerKeys.OF_PLAIN, "with tls: off, which relays bytes as they are", "set tls: on");
        Value name = section.find(ListenerKeys.BACKEND);
        if (name == null) {
            section.problem("a listener with tls: off lacks the key \"backend\"; add for example backend: web");
        }
        BackendConfig backend = name == null ? null : reference(name, "backend", backends);
        AcceptPolicy acceptPolicy = AcceptPolicyReader.read(section, List.of(), List.of());
        return addressValue == null || address == null || backend == null
                ? null
                : ListenerConfig.plain(address, backend, acceptPolicy, socket(section), addressValue.place());
    }

    /** Reports the keys that have no effect on a listener without TLS. */
    private static void refuseOthers(Section section, List<Key> allowed, String kind, String otherwise) {
        for (Key key : ListenerKeys.SECTION.keys()) {
            Value value = section.find(key);
            if (value != null && !allowed.contains(key)) {
                value.problem(key + " has no effect on a listener " + kind + "; remove it, or " + otherwise);
            }
        }
    }

    /** Reads a listener for plain HTTP. */
    private static @Nullable ListenerConfig redirecting(
            Section section, @Nullable Value addressValue, @Nullable InetSocketAddress address) {
        refuseOthers(section, ListenerKeys.OF_REDIRECT, "with redirect, which speaks plain HTTP", "remove redirect");
        int port = section.get(ListenerKeys.REDIRECT);
        AcceptPolicy acceptPolicy = AcceptPolicyReader.read(section, List.of(), List.of());
        if (address != null && port == address.getPort()) {
            section.problem("redirect is " + port + ", which is the listener's own port and speaks plain HTTP; set the"
                    + " port of a listener with certificates, such as redirect: 443");
        }
        return addressValue == null || address == null || port == 0
                ? null
                : ListenerConfig.redirecting(address, acceptPolicy, socket(section), port, addressValue.place());
    }

    /** Returns the name of a socket that a service manager may pass; "" for none. */
    private static String socket(Section section) {
        String text = section.text(ListenerKeys.SOCKET);
        return text == null ? "" : text;
    }

    private List<CertificateConfig> certificates(Section section, boolean required) {
        Set<CertificateConfig> offered = new LinkedHashSet<>();
        Value names = section.find(ListenerKeys.CERTIFICATES);
        if (names == null && required) {
            section.problem("a listener lacks the key \"certificates\"; add for example certificates: [shop]");
        }
        for (Value name : names == null ? List.<Value>of() : names.items()) {
            List<CertificateConfig> named = reference(name, "certificate", certificates);
            if (named != null) {
                named.forEach(certificate -> offer(name, certificate, offered));
            }
        }
        if (names != null && offered.isEmpty()) {
            names.items().forEach(this::reportUnusable);
        }
        return List.copyOf(offered);
    }

    /** Reports an unusable directory, which is a problem only for a listener without other certificates. */
    private void reportUnusable(Value name) {
        List<String> problems = loading.problems(String.valueOf(name.text()));
        if (!problems.isEmpty()) {
            name.problem(
                    "the listener has no usable certificate: none of " + name.text() + " can be used: "
                            + problems.stream().limit(PROBLEMS_NAMED).collect(Collectors.joining("; "))
                            + (problems.size() > PROBLEMS_NAMED
                                    ? "; and " + (problems.size() - PROBLEMS_NAMED) + " more"
                                    : ""),
                    ProblemKind.TRANSIENT); // a renewal may be under way
        }
    }

    private void offer(Value name, CertificateConfig certificate, Set<CertificateConfig> offered) {
        if (!offered.isEmpty() && certificate.serverNames().isEmpty()) {
            String problem = "certificate " + certificate.name() + " has no subjectAltName, so no client can select"
                    + " it; put it first, or have it issued with a subjectAltName";
            String entry = String.valueOf(name.text());
            if (certificate.name().equals(entry)) {
                name.problem(problem);
            } else { // one file of a directory must not stop the others
                loading.skip(entry, certificate, problem);
            }
        } else if (!offered.add(certificate)) {
            name.problem("certificate " + certificate.name() + " is listed twice; remove one");
        }
    }

    /** Resolves a name; null when it is unknown, which is reported, or has problems of its own. */
    static <T> @Nullable T reference(Value value, String kind, Map<String, Optional<T>> known) {
        String name = value.text();
        if (name == null) {
            return null;
        }
        Optional<T> found = known.get(name);
        if (found != null) {
            return found.orElse(null);
        }
        value.problem("unknown " + kind + " \"" + name + "\""
                + (known.isEmpty()
                        ? "; define it in the section " + kind + "s"
                        : NearestName.hint(name, known.keySet())));
        return null;
    }

    private static List<String> alpn(Section section) {
        Value value = section.find(ListenerKeys.ALPN);
        List<String> protocols = section.texts(ListenerKeys.ALPN);
        for (String protocol : protocols) {
            int bytes = protocol.getBytes(StandardCharsets.UTF_8).length;
            if (value != null && (bytes == 0 || bytes > ALPN_BYTES_MAX)) {
                value.problem("the alpn protocol \"" + protocol + "\" has " + bytes + " bytes; it must have 1 to "
                        + ALPN_BYTES_MAX);
            }
        }
        return protocols;
    }

    private TlsOptions tls(Section section, List<CertificateConfig> offered) {
        TlsOptions fallback = fallback(section);
        TlsOptions options = new TlsOptions(
                section.get(ListenerKeys.MIN_VERSION, fallback.minVersion()),
                section.find(ListenerKeys.CIPHERS) == null ? fallback.ciphers() : section.texts(ListenerKeys.CIPHERS),
                section.find(ListenerKeys.GROUPS) == null ? fallback.groups() : section.texts(ListenerKeys.GROUPS),
                fallback.client(),
                fallback.hosts(),
                section.get(ListenerKeys.EARLY_DATA),
                section.get(ListenerKeys.HANDSHAKE),
                section.get(ListenerKeys.RECORDS),
                section.get(ListenerKeys.CERTIFICATE_COMPRESSION),
                ech.read(section, offered));
        checkTls(section, options);
        return new ClientPolicyReader(directory, check).read(section, options);
    }

    /** Returns the TLS settings that the listener's profile implies. */
    private static TlsOptions fallback(Section section) {
        Value value = section.find(ListenerKeys.PROFILE);
        return value == null
                ? TlsOptions.DEFAULT
                : TlsOptions.of(ListenerKeys.PROFILES.read(value, TlsProfile.INTERMEDIATE));
    }

    private void checkEarlyData(Section section, EarlyDataMode mode, List<String> alpn, List<RouteConfig> routes) {
        Value value = section.find(ListenerKeys.EARLY_DATA);
        if (value == null || mode == EarlyDataMode.OFF) {
            return;
        }
        if (!tickets) {
            value.problem(
                    "early-data is " + Words.dashed(mode) + ", but tickets are off, and only clients with a ticket"
                            + " can send early data; set tickets: on, or early-data: off");
        }
        if (mode == EarlyDataMode.FORWARD) {
            routes.stream()
                    .filter(route -> !route.passes() && !canMarkEarlyData(route, alpn))
                    .map(route -> route.backend().name())
                    .distinct()
                    .forEach(backend -> value.problem("early-data is forward, but backend " + backend
                            + " cannot distinguish early data, which may be a replay: it receives "
                            + (alpn.isEmpty() ? "bytes without alpn" : "more than http/1.1")
                            + " and no PROXY version 2 header; set its proxy-protocol: v2, offer alpn: [http/1.1] only,"
                            + " or set early-data: hold"));
        }
    }

    /** Returns true when the PROXY header, or a field in each request, can mark early data for the backend. */
    private static boolean canMarkEarlyData(RouteConfig route, List<String> alpn) {
        boolean onlyHttp = alpn.equals(List.of(HTTP_1_1)) || route.alpn().equals(HTTP_1_1);
        return onlyHttp || route.backend().proxyProtocol() == ProxyProtocol.V2;
    }

    private void checkTls(Section section, TlsOptions options) {
        report(section.find(ListenerKeys.CIPHERS), check.ciphersProblem(options.ciphers()));
        report(section.find(ListenerKeys.GROUPS), check.groupsProblem(options.groups()));
        if (options.records() == RecordProtection.KERNEL) {
            report(section.find(ListenerKeys.RECORDS), check.kernelRecordsProblem());
        }
    }

    private static void report(@Nullable Value value, @Nullable String problem) {
        if (value != null && problem != null) {
            value.problem(problem);
        }
    }

    private List<RouteConfig> routes(Section section, List<String> alpn) {
        Value single = section.find(ListenerKeys.BACKEND);
        Value several = section.find(ListenerKeys.ROUTES);
        if ((single == null) == (several == null)) {
            section.problem("a listener needs either backend: NAME, routes: [...] or redirect: 443, but has "
                    + (single == null ? "none" : "backend and routes"));
            return List.of();
        }
        if (single != null) {
            BackendConfig backend = reference(single, "backend", backends);
            return backend == null ? List.of() : List.of(RouteConfig.toAll(backend));
        }
        return several == null ? List.of() : routes(several, alpn);
    }

    private List<RouteConfig> routes(Value list, List<String> alpn) {
        List<RouteConfig> routes = new ArrayList<>();
        boolean allMatched = false;
        for (Value item : list.items()) {
            if (allMatched) {
                item.problem("this route is never reached: one above it matches every connection; move it up");
            }
            RouteConfig route = route(item, alpn);
            if (route != null) {
                routes.add(route);
                allMatched |= route.matchesAll();
            }
        }
        return routes;
    }

    private @Nullable RouteConfig route(Value item, List<String> offeredAlpn) {
        Section section = Section.of(item, ListenerKeys.ROUTE);
        if (section == null) {
            return null;
        }
        Value name = section.require(ListenerKeys.ROUTE_BACKEND);
        BackendConfig backend = name == null ? null : reference(name, "backend", backends);
        Value serverName = section.find(ListenerKeys.ROUTE_SNI);
        ServerNamePattern pattern = serverName == null ? ServerNamePattern.ANY : ServerNameReader.read(serverName);
        RouteTls tls = section.get(ListenerKeys.ROUTE_TLS);
        String alpn = routeAlpn(section, tls == RouteTls.TERMINATE ? offeredAlpn : null);
        Value tlsValue = section.find(ListenerKeys.ROUTE_TLS);
        if (tlsValue != null && tls == RouteTls.PASSTHROUGH && backend != null && backend.tls() != null) {
            tlsValue.problem("tls is passthrough, but backend " + backend.name() + " has tls: the client's TLS would be"
                    + " inside of TLS; remove one of them");
        }
        return backend == null ? null : new RouteConfig(pattern, alpn, backend, tls);
    }

    /**
     * Reads the protocol of a route.
     *
     * @param offered the protocols of the listener; null where the backend negotiates
     */
    private static String routeAlpn(Section section, @Nullable List<String> offered) {
        Value value = section.find(ListenerKeys.ROUTE_ALPN);
        String text = value == null ? null : value.text();
        if (value == null || text == null) {
            return "";
        }
        if (offered != null && !offered.contains(text)) {
            value.problem("the route's alpn \"" + text + "\" is not offered by the listener; add it to the"
                    + " listener's alpn");
        }
        return text;
    }
}
