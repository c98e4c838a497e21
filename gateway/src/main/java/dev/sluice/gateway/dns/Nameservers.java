package dev.sluice.gateway.dns;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;

/**
 * The DNS servers that one lookup asks, in order, as resolv.conf(5) has it: the next one when one is silent or cannot
 * answer, and all of them {@link #ROUNDS} times. Remembers the shortest time to live of the answers, so that an alias
 * counts, too, which dnsjava's own result leaves out.
 */
final class Nameservers extends ExtendedResolver {
    /** The time that a server has to answer. */
    static final Duration PATIENCE = Duration.ofMillis(1_500);

    /** The number of servers that are asked, as the C library does. */
    static final int SERVERS_MAX = 3;

    private static final int ROUNDS = 2;

    private final List<SimpleResolver> servers;
    private long timeToLiveSeconds = Long.MAX_VALUE;

    Nameservers(List<InetSocketAddress> addresses) {
        super(List.<Resolver>of());
        servers = addresses.stream().limit(SERVERS_MAX).map(SimpleResolver::new).toList();
        servers.forEach(server -> server.setTimeout(PATIENCE));
    }

    /** Returns the longest time that all attempts of one query may take. */
    Duration patience() {
        return PATIENCE.multipliedBy((long) ROUNDS * servers.size());
    }

    /** Returns the shortest time to live of what the answers until now hold. */
    synchronized Duration timeToLive() {
        return Duration.ofSeconds(timeToLiveSeconds);
    }

    @Override
    public CompletionStage<Message> sendAsync(Message query, Executor executor) {
        return ask(query, executor, 0);
    }

    private CompletionStage<Message> ask(Message query, Executor executor, int attempt) {
        return servers.get(attempt % servers.size())
                .sendAsync(query, executor)
                .handle((answer, failure) -> isLast(attempt) || isUseful(answer)
                        ? taken(answer, failure)
                        : ask(query, executor, attempt + 1))
                .thenCompose(Function.identity());
    }

    private boolean isLast(int attempt) {
        return attempt + 1 == ROUNDS * servers.size();
    }

    /** Returns true for an answer that another server would give, too. */
    private static boolean isUseful(@Nullable Message answer) {
        return answer != null && (answer.getRcode() == Rcode.NOERROR || answer.getRcode() == Rcode.NXDOMAIN);
    }

    private CompletionStage<Message> taken(@Nullable Message answer, @Nullable Throwable failure) {
        if (answer == null) {
            return CompletableFuture.failedStage(Objects.requireNonNull(failure));
        }
        synchronized (this) {
            for (Record each : answer.getSection(Section.ANSWER)) {
                timeToLiveSeconds = Math.min(timeToLiveSeconds, each.getTTL());
            }
        }
        return CompletableFuture.completedStage(answer);
    }
}
