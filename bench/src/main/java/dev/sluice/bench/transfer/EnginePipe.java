package dev.sluice.bench.transfer;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.record.path.JdkEngines;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/** The JDK's SSLEngine over blocking channels, with as many records in a system call as the secure channel. */
final class EnginePipe implements Pipe {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ByteBuffer block;
    private final End sender;
    private final End receiver;

    /** One end of the connection. Confined to its thread after the handshake. */
    private static final class End {
        private final SocketChannel socket;
        private final SSLEngine engine;
        private final Arena arena = Arena.ofShared();
        private final ByteBuffer outgoing;
        private final ByteBuffer incoming;
        private final MemorySegment plaintext;
        private final ByteBuffer opened;

        End(SocketChannel socket, SSLEngine engine) {
            this.socket = socket;
            this.engine = engine;
            int packet = engine.getSession().getPacketBufferSize();
            this.outgoing = arena.allocate(CALL_BYTES + packet).asByteBuffer();
            this.incoming = arena.allocate(CALL_BYTES + packet).asByteBuffer();
            this.plaintext = arena.allocate(CALL_BYTES + packet);
            this.opened = plaintext.asByteBuffer();
        }

        void handshake() throws IOException {
            engine.beginHandshake();
            HandshakeStatus status = engine.getHandshakeStatus();
            while (status != HandshakeStatus.FINISHED && status != HandshakeStatus.NOT_HANDSHAKING) {
                status = switch (status) {
                    case NEED_TASK -> {
                        engine.getDelegatedTask().run();
                        yield engine.getHandshakeStatus();
                    }
                    case NEED_WRAP -> {
                        HandshakeStatus next = engine.wrap(NOTHING, outgoing).getHandshakeStatus();
                        flush();
                        yield next;
                    }
                    default -> unwrapHandshake();
                };
            }
        }

        private HandshakeStatus unwrapHandshake() throws IOException {
            SSLEngineResult result = engine.unwrap(incoming.flip(), opened);
            incoming.compact();
            if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
                fill();
            }
            HandshakeStatus status = result.getHandshakeStatus();
            return status == HandshakeStatus.FINISHED ? status : engine.getHandshakeStatus();
        }

        void send(ByteBuffer block) throws IOException {
            while (block.hasRemaining()) {
                while (block.hasRemaining() && outgoing.position() < CALL_BYTES) {
                    engine.wrap(block, outgoing);
                }
                flush();
            }
        }

        private void flush() throws IOException {
            outgoing.flip();
            while (outgoing.hasRemaining()) {
                socket.write(outgoing);
            }
            outgoing.clear();
        }

        void receive(BlockCheck check) throws IOException {
            fill();
            incoming.flip();
            while (engine.unwrap(incoming, opened).getStatus() == SSLEngineResult.Status.OK) {
                check.accept(plaintext, 0, opened.position());
                opened.clear();
            }
            incoming.compact();
        }

        private void fill() throws IOException {
            if (socket.read(incoming) < 0) {
                throw new BenchException("the peer has ended the connection");
            }
        }

        void close() throws IOException {
            socket.close();
            arena.close();
        }
    }

    EnginePipe(Wire wire, MemorySegment block, JdkEngines engines) throws IOException {
        this.block = block.asByteBuffer();
        Wire.Connected<SocketChannel> sockets = wire.socketChannels();
        this.sender = new End(sockets.sender(), engines.engine(true));
        this.receiver = new End(sockets.receiver(), engines.engine(false));
        CompletableFuture<Void> accepted = CompletableFuture.runAsync(() -> {
            try {
                receiver.handshake();
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        sender.handshake();
        accepted.join();
    }

    @Override
    public void send() throws IOException {
        sender.send(block.clear());
    }

    @Override
    public void receive(BlockCheck check) throws IOException {
        receiver.receive(check);
    }

    @Override
    public void close() throws IOException {
        sender.close();
        receiver.close();
    }
}
