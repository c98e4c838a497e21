package dev.sluice.tls.bogo;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.bogo.ShimFlags.Settings;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.engine.BufferedEngine;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.TlsFailure;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;

/** One connection of a test: the handshake, what the runner sends back inverted, and the end. */
final class ShimConnection {
    private static final String FIRST_WRITE = "hello";
    private static final int[] WRITE_SIZES = {1, 255, 256, 257, 16383, 16384, 16385, 32767, 32768, 32769};
    private static final byte WRITE_FILL = 0x42;
    private static final int READ_BYTES = 512;
    private static final int INVERTED = 0xff;

    private final SocketChannel channel;
    private final BufferedEngine engine;
    private final Settings settings;
    private final MemorySegment room;
    private boolean peerEnded;

    /**
     * Makes a connection that has not begun.
     *
     * @param channel to the runner; the caller's, as the engine
     * @param room for plaintext; the caller's
     */
    ShimConnection(SocketChannel channel, BufferedEngine engine, Settings settings, MemorySegment room) {
        this.channel = channel;
        this.engine = engine;
        this.settings = settings;
        this.room = room;
    }

    /**
     * Runs the connection to its end.
     *
     * @param resumes whether it is to resume the session of the one before
     * @throws ShimFailedException where it does not end as the flags say
     */
    void run(boolean resumes) throws IOException {
        try {
            complete(engine::handshake);
            check(Objects.requireNonNull(engine.handshakeInfo()), resumes);
            if (settings.has("-no-op-extra-handshake")) {
                complete(engine::handshake);
            }
            exchange();
            end();
        } finally {
            drain();
        }
    }

    private void exchange() throws IOException {
        if (settings.has("-write-different-record-sizes")) {
            room.fill(WRITE_FILL);
            for (int size : WRITE_SIZES) {
                write(size);
            }
        } else {
            if (settings.has("-shim-writes-first") || settings.has("-read-with-unfinished-write")) {
                RawMemory.copy(
                        FIRST_WRITE.getBytes(StandardCharsets.US_ASCII), 0, room.address(), FIRST_WRITE.length());
                write(FIRST_WRITE.length());
            }
            if (!settings.has("-shim-shuts-down")) {
                echo();
            }
        }
    }

    private void echo() throws IOException {
        int capacity = (int) settings.number("-read-size", READ_BYTES);
        while (true) {
            int read = step(() -> engine.read(room.address(), capacity));
            if (read == EngineStatus.CLOSED) {
                return;
            }
            if (read == EngineStatus.FAILED) {
                if (isTruncation() && !settings.has("-check-close-notify")) {
                    return;
                }
                throw failed("read");
            }
            for (int i = 0; i < read; i++) {
                long at = room.address() + i;
                RawMemory.putByte(at, (byte) (RawMemory.getByte(at) ^ INVERTED));
            }
            write(read);
        }
    }

    private void end() throws IOException {
        if (!settings.has("-check-close-notify")) {
            return; // BoringSSL's shim sends no close_notify then, and the runner may have left
        }
        complete(engine::closeOutput);
        if (settings.has("-shim-shuts-down")) {
            int read = step(() -> engine.read(room.address(), READ_BYTES));
            if (read != EngineStatus.CLOSED) {
                throw new ShimFailedException("no close_notify but " + EngineStatus.name(read));
            }
        }
    }

    private void write(int length) throws IOException {
        int done = 0;
        while (done < length) {
            int from = done;
            int written = step(() -> engine.write(room.address() + from, length - from));
            if (written <= 0) {
                throw failed("write");
            }
            done += written;
        }
    }

    private void complete(IntSupplier operation) throws IOException {
        if (step(operation) != EngineStatus.DONE) {
            throw failed("handshake or close");
        }
    }

    /** Repeats an operation, with what it needs of the socket between, until it moves bytes or ends. */
    private int step(IntSupplier operation) throws IOException {
        while (true) {
            int status = operation.getAsInt();
            flush();
            if (status == EngineStatus.WANT_READ) {
                receive();
            } else if (status != EngineStatus.WANT_WRITE) {
                return status;
            }
        }
    }

    private void receive() throws IOException {
        if (peerEnded) {
            throw new ShimFailedException("the engine wants to read behind the end");
        }
        // Tests that ask for an asynchronous transport get the most divided one.
        int capacity = settings.has("-async") ? 1 : engine.receiveCapacity();
        byte[] bytes = new byte[capacity];
        int count = channel.read(ByteBuffer.wrap(bytes));
        if (count < 0) {
            peerEnded = true;
            engine.receivedEndOfStream();
        } else {
            RawMemory.copy(bytes, 0, engine.receiveAddress(), count);
            engine.received(count);
        }
    }

    private void flush() throws IOException {
        while (engine.sendLength() > 0) {
            byte[] bytes = new byte[engine.sendLength()];
            RawMemory.copy(engine.sendAddress(), bytes, 0, bytes.length);
            engine.sent(channel.write(ByteBuffer.wrap(bytes)));
        }
    }

    /**
     * Sends what is left, such as an alert, and reads to the peer's end: a close with bytes unread would be a reset,
     * which may overtake the alert.
     */
    private void drain() {
        try {
            flush();
            channel.shutdownOutput();
            ByteBuffer rest = ByteBuffer.allocate(READ_BYTES);
            while (channel.read(rest) >= 0) {
                rest.clear();
            }
        } catch (IOException e) {
            // The runner has left first.
        }
    }

    private boolean isTruncation() {
        TlsFailure failure = engine.failure();
        return failure != null && failure.reason() == EndReason.TRUNCATED;
    }

    private ShimFailedException failed(String operation) {
        return new ShimFailedException(operation + " failed: " + engine.failure());
    }

    private void check(HandshakeInfo info, boolean resumes) {
        if (settings.has("-expect-version")) {
            boolean tls13 = settings.number("-expect-version", 0) == ProtocolVersion.TLS_1_3.number();
            expect("version", tls13 ? "TLSv1.3" : "TLSv1.2", info.version());
        }
        String group = ShimContexts.GROUP_NAMES.get((int) settings.number("-expect-curve-id", 0));
        if (group != null) {
            expect("group", group, info.group());
        }
        for (String name : List.of("-expect-alpn", "-expect-server-name")) {
            if (settings.has(name)) {
                expect(name, settings.value(name), name.equals("-expect-alpn") ? info.alpn() : info.serverName());
            }
        }
        if (settings.has("-expect-no-server-name")) {
            expect("server name", "", info.serverName());
        }
        expect("resumed", String.valueOf(resumes && !settings.has("-expect-session-miss")), info.resumed() + "");
    }

    private static void expect(String what, String expected, String got) {
        if (!got.equals(expected)) {
            throw new ShimFailedException(what + " is " + got + ", expected " + expected);
        }
    }
}
