package dev.sluice.tls.bogo;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.tls.bogo.ShimFlags.Settings;
import dev.sluice.tls.context.HandshakePath;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.BufferedEngine;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.LoopCrypto;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.engine.TlsSession;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The program that runs the tests of BoringSSL's runner: {@code BogoShim SOCKET memory|direct|lean}. A request of a
 * forwarder is the number of arguments and each with its length, 32 bits in network order; the answer is the exit code
 * and what is to go to stderr. Ends when its stdin does.
 */
final class BogoShim {
    private static final int PASSED = 0;
    private static final int FAILED = 1;
    /** The exit code by which a shim says that it does not have what a test needs. */
    private static final int UNIMPLEMENTED = 89;

    private static final int ROOM_BYTES = 64 * 1024;
    private static final int BUFFERS = 16;

    private static final AtomicLong LEAN_FLIGHTS = new AtomicLong();
    private static final Map<String, LongAdder> UNSUPPORTED = new ConcurrentHashMap<>();

    private BogoShim() {}

    /** The engine that is examined. */
    private enum Subject {
        /** All by libssl. */
        MEMORY,
        /** Handshakes by libssl, records by the engine. */
        DIRECT,
        /** Handshakes of servers by the lean path. */
        LEAN
    }

    public static void main(String[] arguments) throws IOException {
        Subject subject = Subject.valueOf(arguments[1].toUpperCase(Locale.ROOT));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(Path.of(arguments[0])));
            Thread.ofPlatform().daemon().start(() -> serve(server, subject));
            System.out.println("ready");
            while (System.in.read() >= 0) {
                // Until whoever started this goes.
            }
        }
        System.out.println("lean handshakes: " + LEAN_FLIGHTS);
        UNSUPPORTED.entrySet().stream()
                .sorted(Comparator.comparingLong(entry -> -entry.getValue().sum()))
                .forEach(entry -> System.out.println("not asked: " + entry.getValue() + " for " + entry.getKey()));
    }

    private static void serve(ServerSocketChannel server, Subject subject) {
        while (true) {
            try {
                SocketChannel forwarder = server.accept();
                Thread.ofPlatform().daemon().start(() -> answer(forwarder, subject));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private static void answer(SocketChannel forwarder, Subject subject) {
        try (forwarder) {
            DataInputStream in = new DataInputStream(Channels.newInputStream(forwarder));
            List<String> arguments = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                arguments.add(new String(in.readNBytes(in.readInt()), StandardCharsets.ISO_8859_1));
            }
            StringWriter errors = new StringWriter();
            int code = run(arguments, subject, new PrintWriter(errors, true));
            DataOutputStream out = new DataOutputStream(Channels.newOutputStream(forwarder));
            out.writeInt(code);
            out.write(errors.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            System.err.println("a forwarder has left: " + e);
        }
    }

    private static int run(List<String> arguments, Subject subject, PrintWriter errors) {
        try {
            connections(new ShimFlags(arguments), subject);
            return PASSED;
        } catch (UnsupportedFlagException e) {
            UNSUPPORTED
                    .computeIfAbsent(String.valueOf(e.getMessage()), _ -> new LongAdder())
                    .increment();
            return UNIMPLEMENTED;
        } catch (ShimFailedException e) {
            errors.println(e.getMessage());
            return FAILED;
        } catch (IOException | RuntimeException | Error e) {
            e.printStackTrace(errors);
            return FAILED;
        }
    }

    private static void connections(ShimFlags flags, Subject subject) throws IOException {
        MallocAllocator allocator = new MallocAllocator();
        LoopCrypto crypto = new LoopCrypto(allocator, LoopCrypto.MIN_BUFFER_BYTES, BUFFERS);
        MemorySegment room = allocator.allocate(ROOM_BYTES, 64);
        HandshakePath path = subject == Subject.LEAN ? HandshakePath.LEAN : HandshakePath.LIBSSL;
        TlsSession session = null;
        try (TicketKeyRing ring = new TicketKeyRing(Duration.ofHours(1), Duration.ofHours(1), InstantSource.system())) {
            long last = flags.settings(false).number("-resume-count", 0);
            for (long i = 0; i <= last; i++) {
                Settings settings = flags.settings(i > 0);
                try (TlsContext context = ShimContexts.of(settings, ring, path);
                        BufferedEngine engine = engine(settings, context, session, subject, crypto);
                        SocketChannel channel = connect(settings)) {
                    new ShimConnection(channel, engine, settings, room).run(i > 0);
                    TlsSession used = session;
                    session = settings.has("-server") ? null : next(engine, settings, i < last);
                    if (used != null) {
                        used.close();
                    }
                }
            }
        } finally {
            LEAN_FLIGHTS.addAndGet(crypto.leanFlights());
            if (session != null) {
                session.close();
            }
            crypto.close();
            allocator.free(room);
        }
    }

    private static @Nullable TlsSession next(BufferedEngine engine, Settings settings, boolean needed) {
        TlsSession session = engine.session();
        if (session == null && needed) {
            throw new ShimFailedException("no session to offer");
        }
        if (session != null && settings.has("-expect-no-session")) {
            session.close();
            throw new ShimFailedException("a session, expected none");
        }
        return session;
    }

    private static BufferedEngine engine(
            Settings settings, TlsContext context, @Nullable TlsSession session, Subject subject, LoopCrypto crypto) {
        boolean memory = subject == Subject.MEMORY;
        if (settings.has("-server")) {
            return memory ? MemoryEngine.server(context) : DirectEngine.server(context, crypto);
        }
        String host = settings.has("-host-name") ? settings.value("-host-name") : "127.0.0.1"; // without SNI
        if (session == null) {
            return memory ? MemoryEngine.client(context, host) : DirectEngine.client(context, host, crypto);
        }
        return memory
                ? MemoryEngine.client(context, host, session)
                : DirectEngine.client(context, host, session, crypto);
    }

    private static SocketChannel connect(Settings settings) throws IOException {
        InetAddress loopback = InetAddress.getByName(settings.has("-ipv6") ? "::1" : "127.0.0.1");
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(loopback, (int) settings.number("-port", 0)));
        ByteBuffer id = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        channel.write(id.putLong(0, Long.parseUnsignedLong(settings.value("-shim-id"))));
        return channel;
    }
}
