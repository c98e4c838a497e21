package dev.sluice.gateway.dns;

import dev.sluice.ffi.libc.InetText;
import dev.sluice.gateway.dns.Resolver.Answer;
import dev.sluice.gateway.dns.Resolver.Family;
import dev.sluice.gateway.dns.Resolver.Service;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.config.ResolvConfResolverConfigProvider;
import org.xbill.DNS.lookup.LookupFailedException;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;
import org.xbill.DNS.lookup.ServerFailedException;

/** A client of DNS servers, by dnsjava. Remembers nothing: the servers' caches do. Thread-safe. */
final class DnsClient {
    private final List<InetSocketAddress> nameservers;
    private final List<Name> searchPath;
    private final int dots;

    private DnsClient(List<InetSocketAddress> nameservers, List<Name> searchPath, int dots) {
        this.nameservers = nameservers;
        this.searchPath = searchPath;
        this.dots = dots;
    }

    /** Returns a client that asks certain servers, for names as they are written. */
    static DnsClient at(List<InetSocketAddress> nameservers) {
        return new DnsClient(nameservers, List.of(), 0);
    }

    /**
     * Returns the client of this machine's resolv.conf, which is read each time, since it changes with networks; null
     * when that names no server.
     */
    static @Nullable DnsClient ofSystem() {
        ResolvConfResolverConfigProvider system = new ResolvConfResolverConfigProvider();
        system.initialize();
        return system.servers().isEmpty()
                ? null
                : new DnsClient(system.servers(), system.searchPaths(), system.ndots());
    }

    /** Returns the addresses of a host; null when DNS says that there is no such name. */
    @Nullable
    Answer<InetAddress> addresses(String host, Family family) throws LookupException {
        return family == Family.IPV4
                ? ask(host, Type.A, found -> ((ARecord) found).getAddress())
                : ask(host, Type.AAAA, found -> ((AAAARecord) found).getAddress());
    }

    /** Returns the servers of a service; null when DNS says that there is no such name. */
    @Nullable
    Answer<Service> services(String name) throws LookupException {
        return ask(name, Type.SRV, found -> service((SRVRecord) found));
    }

    private static Service service(SRVRecord found) {
        return new Service(found.getTarget().toString(), found.getPort(), found.getPriority(), found.getWeight());
    }

    private <T> @Nullable Answer<T> ask(String name, int type, Function<Record, T> content) throws LookupException {
        Nameservers servers = new Nameservers(nameservers);
        LookupSession session = LookupSession.builder()
                .resolver(servers)
                .searchPath(searchPath)
                .ndots(dots)
                .executor(Runnable::run)
                .build();
        try {
            List<Record> records = session.lookupAsync(Name.fromString(name), type)
                    .toCompletableFuture()
                    .get(servers.patience().toMillis(), TimeUnit.MILLISECONDS)
                    .getRecords();
            List<T> contents = records.stream()
                    .filter(found -> found.getType() == type)
                    .map(content)
                    .toList();
            return new Answer<>(contents, servers.timeToLive());
        } catch (ExecutionException failed) {
            return withoutAnswer(name, failed.getCause());
        } catch (TextParseException malformed) {
            throw new LookupException(name, "it is no name of DNS");
        } catch (TimeoutException silent) {
            throw new LookupException(name, "no answer from " + texts());
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            throw new LookupException(name, "interrupted");
        }
    }

    /** Returns null for a name that there is not, and no records for one that has none of the type. */
    private <T> @Nullable Answer<T> withoutAnswer(String name, @Nullable Throwable failure) throws LookupException {
        return switch (failure) {
            case NoSuchDomainException _ -> null;
            case NoSuchRRSetException _ -> Answer.empty();
            case ServerFailedException _ -> throw new LookupException(name, "SERVFAIL from " + texts());
            case LookupFailedException refused -> throw new LookupException(name, code(refused) + " from " + texts());
            case null, default -> throw new LookupException(name, "no answer from " + texts());
        };
    }

    /** Returns the code of an answer that dnsjava has no exception for, such as REFUSED. */
    private static String code(LookupFailedException refused) {
        String message = refused.getMessage();
        return message == null ? "no usable answer" : message.replace("Unknown non-success error code ", "");
    }

    private String texts() {
        return nameservers.stream()
                .limit(Nameservers.SERVERS_MAX)
                .map(InetText::of)
                .collect(Collectors.joining(", "));
    }
}
