package dev.sluice.doctor.probe;

import dev.sluice.doctor.probe.ProbeException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;

/** The connector of one audit, at its pace. Confined to one thread. */
public final class Dialer {
    private final Target target;
    private final DoctorLimits limits;
    private final Pace pace;
    private List<InetAddress> addresses;

    private Dialer(Target target, DoctorLimits limits, List<InetAddress> addresses) {
        this.target = target;
        this.limits = limits;
        this.pace = new Pace(limits.connectionsPerSecond());
        this.addresses = addresses;
    }

    /** Resolves the name once. */
    public static Dialer resolve(Target target, DoctorLimits limits) throws ProbeException {
        try {
            List<InetAddress> found =
                    new ArrayList<>(new LinkedHashSet<>(Arrays.asList(InetAddress.getAllByName(target.host()))));
            List<InetAddress> looked = found.subList(0, Math.min(found.size(), limits.addresses()));
            return new Dialer(target, limits, List.copyOf(looked));
        } catch (UnknownHostException e) {
            throw new ProbeException(
                    Kind.UNREACHABLE, Step.CONNECT, "the name " + target.host() + " cannot be resolved");
        }
    }

    public Target target() {
        return target;
    }

    DoctorLimits limits() {
        return limits;
    }

    /** Returns the addresses of the name, in the resolver's order. */
    public List<InetAddress> addresses() {
        return addresses;
    }

    /** Removes the first address; there must be another one. */
    public void dropFirst() {
        addresses = addresses.subList(1, addresses.size());
    }

    /** Returns the number of connections so far. */
    public int connections() {
        return pace.count();
    }

    /** Connects to the first address. */
    Wire dial() throws ProbeException {
        return dial(addresses.getFirst());
    }

    /** Connects, and prepares the connection for TLS. The caller closes the result. */
    Wire dial(InetAddress address) throws ProbeException {
        pace.await();
        Socket socket = new Socket();
        try {
            long began = System.nanoTime();
            connect(socket, address);
            long connected = System.nanoTime();
            socket.setTcpNoDelay(true);
            negotiate(socket);
            return new Wire(socket, connected - began, System.nanoTime());
        } catch (IOException e) {
            close(socket);
            throw new ProbeException(Kind.UNREACHABLE, Step.CONNECT, text(address) + ": " + e.getMessage());
        } catch (ProbeException e) {
            close(socket);
            throw e;
        }
    }

    private void connect(Socket socket, InetAddress address) throws IOException, ProbeException {
        try {
            socket.connect(
                    new InetSocketAddress(address, target.port()),
                    Math.toIntExact(limits.connect().toMillis()));
        } catch (SocketTimeoutException e) {
            throw new ProbeException(
                    Kind.UNREACHABLE,
                    Step.CONNECT,
                    text(address) + " does not answer within "
                            + seconds(limits.connect().toMillis()));
        }
    }

    private void negotiate(Socket socket) throws IOException, ProbeException {
        try {
            target.startTls().negotiate(new DeadlineStream(socket, limits.step()), socket.getOutputStream());
        } catch (SocketTimeoutException e) {
            throw stalled(Step.START_TLS, limits);
        }
    }

    private String text(InetAddress address) {
        String host = address.getHostAddress();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + target.port();
    }

    static ProbeException stalled(Step step, DoctorLimits limits) {
        return new ProbeException(
                Kind.STALLED,
                step,
                "does not " + step.text() + " within " + seconds(limits.step().toMillis()));
    }

    private static String seconds(long millis) {
        return millis % 1_000 == 0 ? millis / 1_000 + " s" : millis + " ms";
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // no remedy for this failure
        }
    }

    /**
     * A connection ready for TLS.
     *
     * @param socket owned by the wire
     * @param connectNanos from SYN to the established connection
     * @param readyNanos {@link System#nanoTime} when TLS could begin
     */
    record Wire(Socket socket, long connectNanos, long readyNanos) implements AutoCloseable {
        @Override
        public void close() {
            Dialer.close(socket);
        }
    }
}
