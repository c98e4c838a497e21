package dev.sluice.net.client;

import dev.sluice.net.ConnectHandler;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop;
import dev.sluice.net.PendingConnect;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.Timer;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The connection attempts to the addresses of one name (RFC 8305, "happy eyeballs"): families take turns, IPv6 first;
 * the next attempt starts when one fails, or after 250 ms without an outcome; the first to connect wins, and the others
 * are given up. Confined to the loop's thread.
 */
final class AddressRace {
    /** The connection attempt delay of RFC 8305 section 5. */
    static final long ATTEMPT_DELAY_MILLIS = 250;

    private final EventLoop loop;
    private final Queue<InetSocketAddress> untried;
    private final long limitMillis;
    private final Outcome outcome;
    private final List<PendingConnect> pending = new ArrayList<>();
    private final List<ConnectionFailure> failures = new ArrayList<>();
    private @Nullable Timer delay;
    private boolean over;

    /** A caller that waits for the outcome: one of the two, once. */
    interface Outcome {
        /** Takes the connection of the winner. */
        void onWon(TcpConnection connection);

        /** Reports that each address has failed, in the order of the failures; at least one. */
        void onLost(List<ConnectionFailure> failures);
    }

    /**
     * Creates a race that has not started.
     *
     * @param addresses at least one
     * @param limitMillis the time that each attempt may take
     */
    AddressRace(EventLoop loop, List<InetAddress> addresses, int port, long limitMillis, Outcome outcome) {
        this.loop = loop;
        this.untried = new ArrayDeque<>();
        interleaved(addresses).forEach(each -> untried.add(new InetSocketAddress(each, port)));
        this.limitMillis = limitMillis;
        this.outcome = outcome;
    }

    /** Returns addresses with the families in turn, IPv6 first, the order within a family kept (section 4). */
    static List<InetAddress> interleaved(List<InetAddress> addresses) {
        Queue<InetAddress> six = new ArrayDeque<>();
        Queue<InetAddress> four = new ArrayDeque<>();
        addresses.forEach(each -> (each instanceof Inet6Address ? six : four).add(each));
        List<InetAddress> result = new ArrayList<>();
        while (!six.isEmpty() || !four.isEmpty()) {
            addFirst(six, result);
            addFirst(four, result);
        }
        return result;
    }

    private static void addFirst(Queue<InetAddress> from, List<InetAddress> to) {
        InetAddress first = from.poll();
        if (first != null) {
            to.add(first);
        }
    }

    /** Starts the first attempt. */
    void start() {
        delay = null;
        InetSocketAddress next = over ? null : untried.poll();
        if (next == null) {
            return;
        }
        Attempt attempt = new Attempt();
        attempt.connect = loop.connect(next, limitMillis, attempt);
        pending.add(attempt.connect);
        if (!untried.isEmpty()) {
            delay = loop.schedule(ATTEMPT_DELAY_MILLIS, this::start);
        }
    }

    /** Gives all attempts up; no outcome is reported. */
    void abandon() {
        over = true;
        cancelDelay();
        List<PendingConnect> rest = List.copyOf(pending);
        pending.clear();
        rest.forEach(PendingConnect::abandon);
    }

    private void cancelDelay() {
        if (delay != null) {
            delay.cancel();
            delay = null;
        }
    }

    /** One address's attempt. */
    private final class Attempt implements ConnectHandler {
        private @Nullable PendingConnect connect;

        @Override
        public void onConnected(TcpConnection connection) {
            pending.remove(connect);
            abandon();
            outcome.onWon(connection);
        }

        @Override
        public void onConnectFailed(ConnectionFailure failure) {
            pending.remove(connect);
            if (over) {
                return;
            }
            failures.add(failure);
            if (!untried.isEmpty()) {
                cancelDelay();
                start();
            } else if (pending.isEmpty()) {
                over = true;
                outcome.onLost(failures);
            }
        }
    }
}
