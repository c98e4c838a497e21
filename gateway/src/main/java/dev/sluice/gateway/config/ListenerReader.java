package dev.sluice.gateway.config;

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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads one entry of the list {@code listeners}; certificates and backends must have been read before. */
final class ListenerReader {
    private static final String EARLY_DATA = "early-data";
    private static final String HTTP_1_1 = "http/1.1";
    private static final List<String> OWN_KEYS = List.of(
            "address",
            "socket",
            "certificates",
            "alpn",
            "routes",
            "backend",
            "profile",
            "min-version",
            "ciphers",
            "groups",
            EARLY_DATA);
    private static final List<String> KEYS = Stream.of(OWN_KEYS, ClientPolicyReader.KEYS, IntakeReader.KEYS)
            .flatMap(List::stream)
            .toList();
    private static final List<String> ROUTE_KEYS = List.of("sni", "alpn", "backend");

    /** Most bytes of a protocol's name, RFC 7301 section 3.1. */
    private static final int ALPN_BYTES_MAX = 255;

    /** How many files a message names of which none can be used. */
    private static final int PROBLEMS_TOLD = 3;

    private final Path directory;
    private final TlsCheck check;
    private final CertificateLoading loading;
    private final boolean tickets;
    private final Map<String, Optional<List<CertificateConfig>>> certificates;
    private final Map<String, Optional<BackendConfig>> backends;

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
    }

    /** The listener, or null when it has problems that leave none, which are reported. */
    @Nullable
    ListenerConfig read(Value entry) {
        Section section = entry.section(KEYS);
        if (section == null) {
            return null;
        }
        Value addressValue = section.require("address", "0.0.0.0:8443");
        InetSocketAddress address = addressValue == null ? null : addressValue.toListen("");
        List<CertificateConfig> offered = certificates(section);
        List<String> alpn = alpn(section);
        TlsOptions tls = tls(section);
        List<RouteConfig> routes = routes(section, alpn);
        Intake intake = IntakeReader.read(section, alpn, offered);
        checkEarlyData(section, tls.earlyData(), alpn, routes);
        if (addressValue == null || address == null || offered.isEmpty() || routes.isEmpty()) {
            return null;
        }
        return new ListenerConfig(address, offered, alpn, tls, routes, intake, socket(section), addressValue.place());
    }

    /** The name of a socket that a service manager may pass; "" for none. */
    private static String socket(Section section) {
        Value value = section.find("socket");
        String text = value == null ? null : value.text();
        return text == null ? "" : text;
    }

    private List<CertificateConfig> certificates(Section section) {
        Set<CertificateConfig> offered = new LinkedHashSet<>();
        Value names = section.require("certificates", "[shop]");
        for (Value name : names == null ? List.<Value>of() : names.items()) {
            List<CertificateConfig> named = reference(name, "certificate", certificates);
            if (named != null) {
                named.forEach(certificate -> offer(name, certificate, offered));
            }
        }
        if (names != null && offered.isEmpty()) {
            names.items().forEach(this::tellWhyNone);
        }
        return List.copyOf(offered);
    }

    /** A directory of which nothing can be used is no problem while there are other certificates. */
    private void tellWhyNone(Value name) {
        List<String> problems = loading.problems(String.valueOf(name.text()));
        if (!problems.isEmpty()) {
            name.problem(
                    "no certificate of " + name.text() + " can be used, and the listener has no other: "
                            + problems.stream().limit(PROBLEMS_TOLD).collect(Collectors.joining("; "))
                            + (problems.size() > PROBLEMS_TOLD
                                    ? "; and " + (problems.size() - PROBLEMS_TOLD) + " more"
                                    : ""),
                    ProblemKind.TRANSIENT); // whoever renews may be about to put others there
        }
    }

    private void offer(Value name, CertificateConfig certificate, Set<CertificateConfig> offered) {
        if (!offered.isEmpty() && certificate.serverNames().isEmpty()) {
            String problem = "certificate " + certificate.name() + " has no subjectAltName, so no client can ask for"
                    + " it; put it first, or have it issued with a subjectAltName";
            String entry = String.valueOf(name.text());
            if (certificate.name().equals(entry)) {
                name.problem(problem);
            } else { // one of a directory must not keep the others from being served
                loading.skip(entry, certificate, problem);
            }
        } else if (!offered.add(certificate)) {
            name.problem("certificate " + certificate.name() + " stands twice; remove one");
        }
    }

    /** What a name stands for; null when it is unknown, which is reported, or has problems of its own. */
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
        Value value = section.find("alpn");
        List<String> protocols = section.texts("alpn");
        for (String protocol : protocols) {
            int bytes = protocol.getBytes(StandardCharsets.UTF_8).length;
            if (value != null && (bytes == 0 || bytes > ALPN_BYTES_MAX)) {
                value.problem("the alpn protocol \"" + protocol + "\" has " + bytes + " bytes; it must have 1 to "
                        + ALPN_BYTES_MAX);
            }
        }
        return protocols;
    }

    private TlsOptions tls(Section section) {
        TlsOptions fallback = fallback(section);
        TlsOptions options = new TlsOptions(
                section.choice("min-version", List.of(TlsVersion.values()), TlsVersion::text, fallback.minVersion()),
                section.find("ciphers") == null ? fallback.ciphers() : section.texts("ciphers"),
                section.find("groups") == null ? fallback.groups() : section.texts("groups"),
                fallback.client(),
                fallback.hosts(),
                section.choice(EARLY_DATA, EarlyDataMode.class, fallback.earlyData()));
        checkTls(section, options);
        return new ClientPolicyReader(directory, check).read(section, options);
    }

    /** What holds where the listener does not say it itself. */
    private static TlsOptions fallback(Section section) {
        Value value = section.find("profile");
        if (value == null) {
            return TlsOptions.DEFAULT;
        }
        return TlsOptions.of(value.choice(List.of(TlsProfile.values()), Section::dashed, TlsProfile.INTERMEDIATE));
    }

    private void checkEarlyData(Section section, EarlyDataMode mode, List<String> alpn, List<RouteConfig> routes) {
        Value value = section.find(EARLY_DATA);
        if (value == null || mode == EarlyDataMode.OFF) {
            return;
        }
        if (!tickets) {
            value.problem(
                    "early-data is " + Section.dashed(mode) + ", but tickets are off, and only clients with a ticket"
                            + " can send any; set tickets: on, or early-data: off");
        }
        if (mode == EarlyDataMode.FORWARD) {
            routes.stream()
                    .filter(route -> !canBeToldOfEarlyData(route, alpn))
                    .map(route -> route.backend().name())
                    .distinct()
                    .forEach(backend -> value.problem("early-data is forward, but backend " + backend
                            + " could not tell early bytes, which may be a copy, from others: it gets "
                            + (alpn.isEmpty() ? "bytes without alpn" : "more than http/1.1")
                            + " and no PROXY version 2 header; set its proxy-protocol: v2, or offer alpn: [http/1.1] only,"
                            + " or early-data: hold"));
        }
    }

    /** By the PROXY header, or by a field in each request: see {@link EarlyDataMode#FORWARD}. */
    private static boolean canBeToldOfEarlyData(RouteConfig route, List<String> alpn) {
        boolean onlyHttp = alpn.equals(List.of(HTTP_1_1)) || route.alpn().equals(HTTP_1_1);
        return onlyHttp || route.backend().proxyProtocol() == ProxyProtocol.V2;
    }

    private void checkTls(Section section, TlsOptions options) {
        report(section.find("ciphers"), check.ciphersProblem(options.ciphers()));
        report(section.find("groups"), check.groupsProblem(options.groups()));
    }

    private static void report(@Nullable Value value, @Nullable String problem) {
        if (value != null && problem != null) {
            value.problem(problem);
        }
    }

    private List<RouteConfig> routes(Section section, List<String> alpn) {
        Value single = section.find("backend");
        Value several = section.find("routes");
        if ((single == null) == (several == null)) {
            section.problem("a listener needs either backend: NAME or routes: [...], and has "
                    + (single == null ? "neither" : "both"));
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
        boolean allTaken = false;
        for (Value item : list.items()) {
            if (allTaken) {
                item.problem("this route is never reached, since one above it takes every connection; move it up");
            }
            RouteConfig route = route(item, alpn);
            if (route != null) {
                routes.add(route);
                allTaken |= route.matchesAll();
            }
        }
        return routes;
    }

    private @Nullable RouteConfig route(Value item, List<String> offeredAlpn) {
        Section section = item.section(ROUTE_KEYS);
        if (section == null) {
            return null;
        }
        Value name = section.require("backend", "web");
        BackendConfig backend = name == null ? null : reference(name, "backend", backends);
        ServerNamePattern pattern = serverName(section);
        String alpn = routeAlpn(section, offeredAlpn);
        return backend == null ? null : new RouteConfig(pattern, alpn, backend);
    }

    private static ServerNamePattern serverName(Section section) {
        Value value = section.find("sni");
        String text = value == null ? null : value.text();
        if (value == null || text == null) {
            return ServerNamePattern.ANY;
        }
        ServerNamePattern pattern = new ServerNamePattern(text);
        if (text.isBlank() || text.lastIndexOf('*') > 0 || (text.startsWith("*") && !pattern.isWildcard())) {
            value.problem("sni is \"" + text + "\"; write a host name, or *.example.com for all names one level below"
                    + " (leave the key out to match every connection)");
        }
        return pattern;
    }

    private static String routeAlpn(Section section, List<String> offered) {
        Value value = section.find("alpn");
        String text = value == null ? null : value.text();
        if (value == null || text == null) {
            return "";
        }
        if (!offered.contains(text)) {
            value.problem("the route wants alpn \"" + text + "\", which the listener does not offer; add it to the "
                    + "listener's alpn list");
        }
        return text;
    }
}
