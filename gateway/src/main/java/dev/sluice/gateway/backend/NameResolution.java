package dev.sluice.gateway.backend;

import dev.sluice.config.model.ServerConfig;
import dev.sluice.config.model.ServerConfig.Role;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.config.yaml.ServiceName;
import dev.sluice.gateway.dns.LookupException;
import dev.sluice.gateway.dns.Resolver;
import dev.sluice.gateway.dns.Resolver.Answer;
import dev.sluice.gateway.dns.Resolver.Family;
import dev.sluice.gateway.dns.Resolver.Service;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The resolution of one name in a backend's configuration to servers. A name with addresses takes a question for each
 * family, a service another two for each of its hosts; a question that gets no answer keeps its last one, so that no
 * server goes because DNS is out of order. Thread-safe.
 */
final class NameResolution {
    /** The number of servers that one name may stand for. */
    static final int SERVERS_MAX = 256;

    /** The time after which the hosts of a service are asked for no more in one lookup: they keep their addresses. */
    private static final long ROUND_NANOS_MAX = TimeUnit.SECONDS.toNanos(20);

    /** Orders the records of a service, for the same reason as {@link #ORDER}. */
    private static final Comparator<Service> RECORDS = Comparator.comparingInt(Service::priority)
            .thenComparing(Service::target)
            .thenComparingInt(Service::port);

    /** Orders servers in the same way whatever the order of an answer, which DNS servers change at will. */
    private static final Comparator<ServerConfig> ORDER = Comparator.comparing(ServerConfig::role)
            .thenComparingInt(server -> inet(server).getAddress() instanceof Inet4Address ? 0 : 1)
            .thenComparing(server -> inet(server).getAddress().getAddress(), Arrays::compareUnsigned)
            .thenComparingInt(server -> inet(server).getPort());

    private final ServerConfig configured;
    private final Resolver resolver;
    private Map<Question, List<InetAddress>> hosts = new HashMap<>();
    private List<Service> services = List.of();

    /** A question for addresses. */
    private record Question(String host, Family family) {}

    /**
     * The result of a resolution.
     *
     * @param servers in order; empty when there are none
     * @param excess the number of servers beyond {@link #SERVERS_MAX}, which are left out
     * @param timeToLive the time for which all of it holds
     * @param problem the cause for which it is not complete, or empty, for people; "": none
     */
    record Result(List<ServerConfig> servers, int excess, Duration timeToLive, String problem) {}

    /**
     * Creates the resolution of a name.
     *
     * @param configured with an unresolved address, or a service
     */
    NameResolution(ServerConfig configured, Resolver resolver) {
        this.configured = configured;
        this.resolver = resolver;
    }

    /** Returns the name without a port. */
    String name() {
        return Objects.requireNonNull(Addresses.nameOf(address()));
    }

    /** Returns the name as the configuration has it. */
    SocketAddress address() {
        return configured.address();
    }

    /** Looks the name up; blocks for as long as DNS takes. */
    synchronized Result resolve() {
        return new Round().result();
    }

    /** The questions of one lookup. */
    private final class Round {
        private final Map<Question, List<InetAddress>> answers = new HashMap<>();
        private final long begin = System.nanoTime();
        private Duration timeToLive = Duration.ofSeconds(Long.MAX_VALUE);
        private int recordsLeftOut;
        private String problem = "";

        Result result() {
            Map<SocketAddress, ServerConfig> servers = new LinkedHashMap<>();
            found().stream().sorted(ORDER).forEach(server -> servers.putIfAbsent(server.address(), server));
            hosts = answers;
            if (servers.isEmpty() && problem.isEmpty()) {
                problem = name() + " does not resolve";
            }
            List<ServerConfig> first =
                    servers.values().stream().limit(SERVERS_MAX).toList();
            return new Result(first, recordsLeftOut + servers.size() - first.size(), timeToLive, problem);
        }

        private List<ServerConfig> found() {
            if (address() instanceof ServiceName service) {
                return serversOf(services(service.name()));
            }
            InetSocketAddress host = (InetSocketAddress) address();
            String name = host.getHostString();
            return addresses(name).stream()
                    .map(address -> new ServerConfig(
                            named(name, address, host.getPort()), configured.weight(), configured.role()))
                    .toList();
        }

        private List<ServerConfig> serversOf(List<Service> records) {
            int first = records.stream().mapToInt(Service::priority).min().orElse(0);
            int heaviest = records.stream().mapToInt(Service::weight).max().orElse(0);
            List<ServerConfig> servers = new ArrayList<>();
            for (Service each : records) {
                Role role = each.priority() == first ? configured.role() : Role.BACKUP;
                String host = withoutDot(each.target());
                int weight = weight(each.weight(), heaviest);
                addresses(each.target())
                        .forEach(address ->
                                servers.add(new ServerConfig(named(host, address, each.port()), weight, role)));
            }
            return servers;
        }

        // --- questions ----------------------------------------------------------------------------------------------

        private List<Service> services(String name) {
            try {
                Answer<Service> answer = resolver.services(name);
                services = answer.records().stream()
                        .filter(NameResolution::isOffered)
                        .sorted(RECORDS)
                        .toList();
                holdsFor(answer);
            } catch (LookupException | RuntimeException failed) {
                failed(name, failed);
            }
            recordsLeftOut = Math.max(services.size() - SERVERS_MAX, 0);
            return services.subList(0, services.size() - recordsLeftOut);
        }

        private List<InetAddress> addresses(String host) {
            List<InetAddress> found = new ArrayList<>();
            for (Family family : Family.values()) {
                Question question = new Question(host, family);
                List<InetAddress> known = answers.get(question); // of another record with this host
                found.addAll(known == null ? ask(question) : known);
            }
            return MachineAddresses.usable(found);
        }

        private List<InetAddress> ask(Question question) {
            List<InetAddress> addresses = hosts.getOrDefault(question, List.of());
            try {
                requireTime(question.host());
                Answer<InetAddress> answer = resolver.addresses(question.host(), question.family());
                addresses = answer.records();
                holdsFor(answer);
            } catch (LookupException | RuntimeException failed) {
                failed(question.host(), failed);
            }
            answers.put(question, addresses);
            return addresses;
        }

        private void requireTime(String host) throws LookupException {
            if (System.nanoTime() - begin > ROUND_NANOS_MAX) {
                throw new LookupException(host, "lookups of " + name() + " take too long");
            }
        }

        private void holdsFor(Answer<?> answer) {
            timeToLive = answer.timeToLive().compareTo(timeToLive) < 0 ? answer.timeToLive() : timeToLive;
        }

        private void failed(String name, Exception failure) {
            problem = failure instanceof LookupException
                    ? String.valueOf(failure.getMessage())
                    : name + " cannot be looked up (" + failure + ")";
        }
    }

    /** Returns an address that remembers its name, for TLS and requests. */
    private static InetSocketAddress named(String host, InetAddress address, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(host, address.getAddress()), port);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible); // the length is that of an address
        }
    }

    /** Returns false for the record of a service that is decidedly not there (RFC 2782), and for one without a port. */
    private static boolean isOffered(Service service) {
        return !withoutDot(service.target()).isEmpty() && service.port() > 0;
    }

    private static String withoutDot(String target) {
        return target.endsWith(".") ? target.substring(0, target.length() - 1) : target;
    }

    /** Returns a weight of a record, which may be 65,535 or 0, in proportion to those of a configuration. */
    private static int weight(int weight, int heaviest) {
        long scaled = heaviest <= ServerConfig.WEIGHT_MAX
                ? weight
                : Math.round((double) weight * ServerConfig.WEIGHT_MAX / heaviest);
        return (int) Math.max(scaled, 1);
    }

    private static InetSocketAddress inet(ServerConfig server) {
        return (InetSocketAddress) server.address();
    }
}
