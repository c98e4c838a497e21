package dev.sluice.tls.engine;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.SockAddr;
import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.SelfSignedCertificate;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.tls.context.TlsContext;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A trial of kernel TLS with {@code openssl s_client} and {@code s_server}, on a kernel that supports it. A main, not a
 * test: {@code tools/ktls} runs it in a virtual machine. Prints a line per case, and finally PASSED or FAILED.
 */
public final class KernelTlsTrial {
    private static final int PORT = 4433;
    private static final int ROOM = 64 * 1024;
    private static final int ECHO_BYTES = 300_000;

    private final LibC libc = new LibC();
    private final MallocAllocator allocator = new MallocAllocator();
    private final long room = allocator.allocate(ROOM, 64).address();
    private final LoopCrypto crypto = new LoopCrypto(allocator, 20 * 1024, 8);
    private final Path chainFile;
    private final Path keyFile;
    private int failed;

    private KernelTlsTrial(Path directory) throws IOException {
        try (EvpPkey key = EvpPkey.generateElliptic("P-256");
                X509 certificate =
                        SelfSignedCertificate.make(key, "localhost", List.of("localhost"), Duration.ofDays(2))) {
            chainFile = Files.write(directory.resolve("chain.pem"), certificate.toPem());
            keyFile = Files.write(directory.resolve("key.pem"), key.toPem());
        }
    }

    private interface Case {
        void run() throws Exception;
    }

    /** Runs all cases. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        KernelTlsTrial trial = new KernelTlsTrial(Files.createTempDirectory("ktls"));
        System.out.println(OpenSsl.require().version() + ", Linux " + System.getProperty("os.version"));
        System.out.println("unavailable: \"" + KernelTls.unavailable(trial.libc) + "\"");
        for (String suite :
                List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256")) {
            trial.attempt("server, " + suite, () -> trial.echo("-tls1_3", "-ciphersuites", suite));
            trial.attempt("client, " + suite, () -> trial.reversed("-tls1_3", "-ciphersuites", suite));
        }
        for (String suite : List.of("ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305")) {
            trial.attempt("server, TLS 1.2, " + suite, () -> trial.echo("-tls1_2", "-cipher", suite));
            trial.attempt("client, TLS 1.2, " + suite, () -> trial.reversed("-tls1_2", "-cipher", suite));
        }
        trial.attempt("a key update ends it", trial::keyUpdate);
        trial.attempt("reports an abrupt end", trial::abruptEnd);
        System.out.println(trial.failed == 0 ? "PASSED" : "FAILED");
    }

    @SuppressWarnings("SystemOut")
    private void attempt(String name, Case what) {
        try {
            what.run();
            System.out.println("ok      " + name);
        } catch (Exception | AssertionError e) {
            failed++;
            System.out.println("FAILED  " + name + ": " + e);
        }
    }

    // ---- as a server

    private void echo(String... options) throws Exception {
        serve(List.of(options), (tls, client) -> {
            byte[] sent = new byte[ECHO_BYTES];
            Arrays.fill(sent, (byte) 'e');
            Thread writer = Thread.ofPlatform().start(() -> write(client.getOutputStream(), sent));
            int echoed = 0;
            while (echoed < ECHO_BYTES) {
                int read = tls.read(room, ROOM);
                check(read > 0, "read: " + EngineStatus.name(read) + " " + tls.failure());
                writeAll(tls, read);
                echoed += read;
            }
            writer.join();
            check(tls.closeOutput() == EngineStatus.DONE, "close_notify: " + tls.failure());
            byte[] received = client.getInputStream().readNBytes(ECHO_BYTES);
            check(Arrays.equals(received, sent), "the echo is another");
            check(client.waitFor(10, TimeUnit.SECONDS), "the client does not see the close_notify");
            int end = tls.read(room, ROOM);
            check(end == EngineStatus.CLOSED, "the client's end: " + EngineStatus.name(end) + " " + tls.failure());
        });
    }

    private void keyUpdate() throws Exception {
        serve(List.of("-tls1_3", "-interactive"), (tls, client) -> {
            client.getOutputStream().write("K\n".getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().flush();
            int read = tls.read(room, ROOM);
            String reason = tls.failure() == null ? "" : tls.failure().reason().label();
            check(read == EngineStatus.FAILED && reason.equals("kernel_key_update"), read + " " + reason);
        });
    }

    private void abruptEnd() throws Exception {
        serve(List.of("-tls1_3"), (tls, client) -> {
            client.destroyForcibly().waitFor();
            int read = tls.read(room, ROOM);
            String reason = tls.failure() == null ? "" : tls.failure().reason().label();
            check(
                    read == EngineStatus.FAILED
                            && List.of("truncated", "connection_reset").contains(reason),
                    read + " " + reason);
        });
    }

    private interface Talk {
        void with(KernelTls tls, Process client) throws Exception;
    }

    private void serve(List<String> options, Talk talk) throws Exception {
        int listener = check(libc.socket(Constants.AF_INET, Constants.SOCK_STREAM, 0), "socket");
        RawMemory.putInt(room, 1);
        libc.setsockopt(listener, Constants.SOL_SOCKET, Constants.SO_REUSEADDR, room, Integer.BYTES);
        check(
                libc.bind(
                        listener,
                        room,
                        SockAddr.encode(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT), room)),
                "bind");
        check(libc.listen(listener, 1), "listen");
        List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-connect", "127.0.0.1:" + PORT));
        command.addAll(options);
        if (command.remove("-interactive")) {
            command.add("-no_ign_eof");
        } else {
            command.add("-quiet");
        }
        Process client = start(command);
        int connection = check(libc.accept4(listener, 0, 0, 0), "accept");
        try (TlsContext context =
                        TlsContext.server().certificate(chainFile, keyFile).build();
                DirectEngine engine = DirectEngine.server(context, crypto)) {
            while (engine.handshake() != EngineStatus.DONE) {
                flush(engine, connection);
                receive(engine, connection);
            }
            talk(engine, connection, tls -> talk.with(tls, client));
        } finally {
            client.destroyForcibly();
            libc.close(connection);
            libc.close(listener);
        }
    }

    // ---- as a client

    private void reversed(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl", "s_server", "-accept", "127.0.0.1:" + PORT, "-rev"));
        command.addAll(List.of("-cert", chainFile.toString()));
        command.addAll(List.of("-key", keyFile.toString()));
        command.addAll(List.of(options));
        Process server = start(command);
        int connection = connect();
        try (TlsContext context = TlsContext.client().trust(chainFile).build();
                DirectEngine engine = DirectEngine.client(context, "localhost", crypto)) {
            while (engine.handshake() != EngineStatus.DONE) {
                flush(engine, connection);
                receive(engine, connection);
            }
            flush(engine, connection);
            while (engine.detached() == Detach.TICKET_AWAITED) {
                receive(engine, connection);
                engine.read(room, ROOM);
            }
            talk(engine, connection, this::reverseLines);
        } finally {
            server.destroyForcibly().waitFor();
            libc.close(connection);
        }
    }

    private void reverseLines(KernelTls tls) {
        byte[] line = "sluice\n".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < 5; i++) {
            RawMemory.copy(line, 0, room, line.length);
            writeAll(tls, line.length);
            byte[] back = new byte[line.length];
            for (int at = 0; at < back.length; ) {
                int read = tls.read(room, ROOM);
                check(read > 0, "read: " + EngineStatus.name(read) + " " + tls.failure());
                RawMemory.copy(room, back, at, read);
                at += read;
            }
            check(Arrays.equals(back, "eciuls\n".getBytes(StandardCharsets.US_ASCII)), "not reversed");
        }
        check(tls.closeOutput() == EngineStatus.DONE, "close_notify: " + tls.failure());
    }

    private int connect() throws InterruptedException {
        int length = SockAddr.encode(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT), room);
        for (int attempt = 0; ; attempt++) {
            int socket = check(libc.socket(Constants.AF_INET, Constants.SOCK_STREAM, 0), "socket");
            int answer = libc.connect(socket, room, length);
            if (answer == 0) {
                return socket;
            }
            libc.close(socket);
            check(attempt < 100, "connect: " + Errno.describe(-answer));
            Thread.sleep(100);
        }
    }

    // ---- both

    private interface Conversation {
        void with(KernelTls tls) throws Exception;
    }

    private void talk(DirectEngine engine, int connection, Conversation conversation) throws Exception {
        flush(engine, connection);
        check(engine.detached() == Detach.DIRECT, "detached: " + engine.detached());
        DirectRecords records = Objects.requireNonNull(engine.handOff(
                unsent -> check(false, "bytes wait to be sent"),
                unread -> check(false, "bytes were received already")));
        List<KernelHandover> outcomes = new ArrayList<>();
        KernelTls tls = KernelTls.handOver(records, connection, libc, outcomes::add);
        if (tls == null) {
            records.close();
            throw new AssertionError("the kernel does not take the keys: " + outcomes);
        }
        try (tls) {
            conversation.with(tls);
        }
    }

    private void flush(DirectEngine engine, int connection) {
        while (engine.sendLength() > 0) {
            long sent = libc.send(connection, engine.sendAddress(), engine.sendLength(), Constants.MSG_NOSIGNAL);
            engine.sent((int) check(sent, "send"));
        }
    }

    private void receive(DirectEngine engine, int connection) {
        long received = libc.recv(connection, engine.receiveAddress(), engine.receiveCapacity(), 0);
        check(received > 0, "recv: " + received + " " + engine.failure());
        engine.received((int) received);
    }

    private void writeAll(KernelTls tls, int length) {
        for (int at = 0; at < length; ) {
            int written = tls.write(room + at, length - at);
            check(written > 0, "write: " + EngineStatus.name(written) + " " + tls.failure());
            at += written;
        }
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void write(OutputStream to, byte[] bytes) {
        try {
            to.write(bytes);
            to.flush();
        } catch (IOException e) {
            throw new AssertionError("the client takes no input", e);
        }
    }

    private static int check(int answer, String what) {
        return (int) check((long) answer, what);
    }

    private static long check(long answer, String what) {
        check(answer >= 0, what + ": " + Errno.describe((int) -answer));
        return answer;
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
