package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import dev.sluice.tls.record.Tickets;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that session tickets of every form have the same result on a client in libssl and on a detached one. */
final class MalformedTicketTest {
    private static final Credential SERVER = TestCertificates.shared().server();
    private static final int ROOM = 64 * 1024;

    private final MallocAllocator allocator = new MallocAllocator();
    private final LoopCrypto crypto = new LoopCrypto(allocator, 20 * 1024, 64);
    private final MemorySegment room = allocator.allocate(ROOM, 64);
    private final TlsContext clientContext =
            TlsContext.client().trust(TestCertificates.shared().rootFile()).build();
    private final TlsContext serverContext = TlsContext.server()
            .certificate(SERVER.chainFile(), SERVER.keyFile())
            .sessionTickets(0)
            .build();

    /** The client that reads the ticket. */
    enum Reader {
        LIBSSL,
        DIRECT
    }

    @AfterEach
    void free() {
        serverContext.close();
        clientContext.close();
        crypto.close();
        allocator.free(room);
    }

    @ParameterizedTest
    @EnumSource
    void rejectsMalformedTicketsAsDecodeErrors(Reader reader) {
        for (byte[] ticket : Tickets.malformed()) {
            try (DirectEngine server = DirectEngine.server(serverContext, crypto);
                    BufferedEngine client = client(reader)) {
                sendTicket(server, client, ticket);
                assertThat(client.read(room.address(), ROOM)).isEqualTo(EngineStatus.FAILED);
                shuttle(client, server);
                assertThat(server.read(room.address(), ROOM)).isEqualTo(EngineStatus.FAILED);
                assertThat(Objects.requireNonNull(server.failure()).reason())
                        .isEqualTo(EndReason.ALERT_RECEIVED_DECODE_ERROR);
                if (reader == Reader.DIRECT) {
                    assertThat(Objects.requireNonNull(client.failure()).reason())
                            .isEqualTo(EndReason.MALFORMED_TICKET);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void acceptsWellFormedTickets(Reader reader) {
        for (byte[] ticket : Tickets.wellFormed()) {
            try (DirectEngine server = DirectEngine.server(serverContext, crypto);
                    BufferedEngine client = client(reader)) {
                sendTicket(server, client, ticket);
                assertThat(client.read(room.address(), ROOM)).isEqualTo(EngineStatus.WANT_READ);
                assertThat(server.write(room.address(), 4)).isEqualTo(4);
                shuttle(server, client);
                assertThat(client.read(room.address(), ROOM)).isEqualTo(4);
            }
        }
    }

    /** libssl has read the beginning of a message when the wait for tickets is over: it must read its end, too. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 20})
    void readsTicketsInPiecesWhileItWaitsForThem(int pieceBytes) {
        for (byte[] ticket : Tickets.wellFormed()) {
            try (DirectEngine server = DirectEngine.server(serverContext, crypto);
                    DirectEngine client = DirectEngine.client(clientContext, "localhost", crypto)) {
                handshake(server, client);
                for (int times = 0; times < 2; times++) {
                    for (int at = 0; at < ticket.length; at += pieceBytes) {
                        byte[] piece = Arrays.copyOfRange(ticket, at, Math.min(at + pieceBytes, ticket.length));
                        seal(server, client, piece);
                        assertThat(client.read(room.address(), ROOM))
                                .as("%s", client.failure())
                                .isEqualTo(EngineStatus.WANT_READ);
                    }
                }
                assertThat(client.detached()).isEqualTo(Detach.DIRECT);
                assertThat(server.write(room.address(), 4)).isEqualTo(4);
                shuttle(server, client);
                assertThat(client.read(room.address(), ROOM)).isEqualTo(4);
            }
        }
    }

    private BufferedEngine client(Reader reader) {
        return reader == Reader.LIBSSL
                ? MemoryEngine.client(clientContext, "localhost")
                : DirectEngine.client(clientContext, "localhost", null, null, crypto);
    }

    /** Sends a ticket under the server's key, after the handshake. */
    private void sendTicket(DirectEngine server, BufferedEngine client, byte[] ticket) {
        handshake(server, client);
        seal(server, client, ticket);
    }

    private static void handshake(DirectEngine server, BufferedEngine client) {
        for (int i = 0; i < 4; i++) {
            client.handshake();
            shuttle(client, server);
            server.handshake();
            shuttle(server, client);
        }
    }

    private void seal(DirectEngine server, BufferedEngine client, byte[] message) {
        RecordChannel channel = Objects.requireNonNull(server.channel());
        RecordProtector protector = crypto.resources().protector(channel.suite().aead());
        long payload = room.address() + RecordProtector.HEADER_BYTES;
        RawMemory.copy(message, 0, payload, message.length);
        long keys = ConnectionKeys.sealing(channel.keys());
        int bytes = protector.seal(keys, payload, message.length, ContentType.HANDSHAKE);
        RawMemory.copy(room.address(), client.receiveAddress(), bytes);
        client.received(bytes);
    }

    private static void shuttle(BufferedEngine from, BufferedEngine to) {
        while (from.sendLength() > 0) {
            int count = Math.min(from.sendLength(), to.receiveCapacity());
            RawMemory.copy(from.sendAddress(), to.receiveAddress(), count);
            to.received(count);
            from.sent(count);
        }
    }
}
