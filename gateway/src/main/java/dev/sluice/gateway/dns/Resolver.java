package dev.sluice.gateway.dns;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A resolver of names. Its methods block for as long as DNS takes, a few seconds at most. Thread-safe. */
public interface Resolver {
    /** The families of addresses, in the order in which they are used. */
    enum Family {
        /** Addresses of A records. */
        IPV4,
        /** Addresses of AAAA records. */
        IPV6
    }

    /** A maker of resolvers. */
    @FunctionalInterface
    interface Maker {
        /** The resolver of this machine, or the nameservers of a backend. */
        Maker SYSTEM =
                nameservers -> nameservers.isEmpty() ? new SystemResolver() : new ConfiguredResolver(nameservers);

        /**
         * Makes a resolver.
         *
         * @param nameservers the DNS servers to ask; empty: those of this machine, after its hosts file
         */
        Resolver of(List<InetSocketAddress> nameservers);
    }

    /**
     * An answer to a question.
     *
     * @param records what was found; empty where there is nothing under the name
     * @param timeToLive the time for which it holds
     */
    record Answer<T>(List<T> records, Duration timeToLive) {
        private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

        /** Copies the list. */
        public Answer {
            records = List.copyOf(records);
        }

        /** Returns an answer without records, which sets no time for the next question. */
        static <T> Answer<T> empty() {
            return new Answer<>(List.of(), FOREVER);
        }

        /** Returns an answer, or an empty one in place of null. */
        static <T> Answer<T> orEmpty(@Nullable Answer<T> answer) {
            return answer == null ? empty() : answer;
        }
    }

    /**
     * One server of a service, as an SRV record has it (RFC 2782).
     *
     * @param target the name of the host
     * @param port the port
     * @param priority the rank: servers of a higher number stand in for those of a lower one
     * @param weight the share among those of one priority, 0 to 65,535
     */
    record Service(String target, int port, int priority, int weight) {}

    /**
     * Returns the addresses of a host.
     *
     * @throws LookupException when there was no answer
     */
    Answer<InetAddress> addresses(String host, Family family) throws LookupException;

    /**
     * Returns the servers of a service.
     *
     * @throws LookupException when there was no answer
     */
    Answer<Service> services(String name) throws LookupException;
}
