package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A real DNS server, dnsmasq, on its own port of the loopback address: the authority for {@code example}, with records
 * that hold for a second. The test is skipped where it is not installed. Confined to one thread.
 */
public final class DnsServer implements AutoCloseable {
    private final int port = FreePort.onLoopback();
    private RunningProgram program;

    private DnsServer(List<String> records) {
        program = launch(records);
    }

    /**
     * Starts a server.
     *
     * @param records lines of a hosts file, {@code 192.0.2.1 web.example}, and options of dnsmasq, such as
     *     {@code --srv-host=_http._tcp.shop.example,web.example,8080,1,10}
     */
    public static DnsServer start(String... records) {
        return new DnsServer(List.of(records));
    }

    private RunningProgram launch(List<String> records) {
        List<String> line = new ArrayList<>(List.of(
                "--keep-in-foreground",
                "--conf-file=/dev/null",
                "--pid-file=",
                "--user=" + System.getProperty("user.name"),
                "--group=",
                "--no-resolv",
                "--no-hosts",
                "--bind-interfaces",
                "--listen-address=127.0.0.1",
                "--port=" + port,
                "--local=/example/",
                "--local-ttl=1",
                "--addn-hosts=" + hosts(records)));
        records.stream().filter(record -> record.startsWith("--")).forEach(line::add);
        RunningProgram started = ForeignProgram.required("dnsmasq", "dnsmasq-base")
                .command(line.toArray(String[]::new))
                .start();
        Waiting.until(
                Waiting.LIMIT,
                () -> FreePort.isTaken(port) || !started.isRunning(),
                () -> "dnsmasq does not listen: " + started);
        return started;
    }

    private static Path hosts(List<String> records) {
        try {
            Path file = Files.createTempFile("sluice-dns", ".hosts");
            file.toFile().deleteOnExit();
            return Files.write(
                    file,
                    records.stream().filter(record -> !record.startsWith("--")).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns its address. */
    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    /** Serves other records from now on; see {@link #start}. */
    public void serve(String... records) {
        program.close();
        program = launch(List.of(records));
    }

    /** Kills the server: nobody answers any more, until {@link #serve}. */
    public void kill() {
        program.close();
    }

    @Override
    public void close() {
        program.close();
    }
}
