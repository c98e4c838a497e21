package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.Bytes;
import dev.sluice.tls.context.HandshakePath;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.TlsAlert;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.tls.lean.HandshakeSecrets;
import dev.sluice.tls.record.Aead;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.RecordProtector;
import dev.sluice.tls.record.TrafficKeys;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of what a client may send after the lean server's flight, and of what ends the handshake. */
final class LeanClientFlightTest {
    private static final Credential CREDENTIAL = TestCertificates.shared().server();
    private static final int ROOM = 20_000;
    private static final int FINISHED = 20;
    private static final byte[] CHANGE_CIPHER_SPEC = {20, 3, 3, 0, 1, 1};

    private final Map<String, Ledger.Balance> before = Ledger.process().balances();
    private final MallocAllocator allocator = new MallocAllocator();
    private final LoopCrypto crypto = new LoopCrypto(allocator, 20 * 1024, 16);
    private final MemorySegment room = allocator.allocate(ROOM, 64);
    private final MemorySegment keys = allocator.allocate(TrafficKeys.BYTES, 64);
    private final RecordProtector protector = new RecordProtector(Aead.AES_128_GCM, allocator);
    private final TlsContext context = TlsContext.server()
            .certificate(CREDENTIAL.chainFile(), CREDENTIAL.keyFile())
            .sessionTickets(0)
            .handshake(HandshakePath.LEAN)
            .build();
    private final TlsContext clientContext = TlsContext.client()
            .trust(TestCertificates.shared().rootFile())
            .cipherSuites(List.of("TLS_AES_128_GCM_SHA256"))
            .groups(List.of("X25519"))
            .build();
    private final DirectEngine server = DirectEngine.server(context, crypto);
    private final MemoryEngine client = MemoryEngine.client(clientContext, "localhost");
    private byte[] verifyData = {};

    @BeforeEach
    void writeTheFlight() {
        client.handshake();
        feed(drain(client));
        assertThat(server.handshake()).isEqualTo(EngineStatus.WANT_READ);
        LeanEngine lean = Objects.requireNonNull(server.lean());
        RawMemory.copy(HandshakeSecrets.clientKeys(lean.secrets()), keys.address(), TrafficKeys.BYTES);
        verifyData = new byte[32];
        RawMemory.copy(HandshakeSecrets.expectedFinished(lean.secrets()), verifyData, 0, 32);
    }

    @AfterEach
    void everythingIsGivenBack() {
        server.close();
        client.close();
        context.close();
        clientContext.close();
        protector.close();
        assertThat(crypto.leasedBuffers()).isZero();
        crypto.close();
        allocator.free(keys);
        allocator.free(room);
        assertThat(Ledger.process().leaksSince(before)).isEmpty();
    }

    // ---- what completes the handshake

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 35})
    void finishedMayBeFragmented(int first) {
        byte[] message = finished();
        feed(handshake(Arrays.copyOfRange(message, 0, first)));
        assertThat(server.handshake()).isEqualTo(EngineStatus.WANT_READ);
        feed(handshake(Arrays.copyOfRange(message, first, message.length)));
        assertThat(server.handshake()).isEqualTo(EngineStatus.DONE);
    }

    @Test
    void bytesMayComeOneByOne() {
        byte[] all = Bytes.join(CHANGE_CIPHER_SPEC, handshake(finished()));
        for (int i = 0; i < all.length; i++) {
            assertThat(server.handshake()).isEqualTo(EngineStatus.WANT_READ);
            feed(new byte[] {all[i]});
        }
        assertThat(server.handshake()).isEqualTo(EngineStatus.DONE);
    }

    /** RFC 8446 section 5: dropped at any time before Finished. */
    @Test
    void dropsChangeCipherSpecs() {
        for (int i = 0; i < 32; i++) {
            feed(CHANGE_CIPHER_SPEC);
        }
        feed(handshake(finished()));
        assertThat(server.handshake()).isEqualTo(EngineStatus.DONE);
    }

    /** Data may follow Finished at once, under the next keys. */
    @Test
    void keepsWhatFollowsFinished() {
        server.sent(0);
        byte[] flight = drain(server);
        RawMemory.copy(flight, 0, client.receiveAddress(), flight.length);
        client.received(flight.length);
        assertThat(client.handshake()).isEqualTo(EngineStatus.DONE);
        RawMemory.copy(new byte[] {'h', 'i'}, 0, room.address(), 2);
        assertThat(client.write(room.address(), 2)).isEqualTo(2);
        feed(drain(client));
        assertThat(server.handshake()).isEqualTo(EngineStatus.DONE);
        assertThat(server.read(room.address(), ROOM)).isEqualTo(2);
    }

    // ---- what ends it

    @Test
    void rejectsAWrongFinished() {
        byte[] message = finished();
        message[20] ^= 1;
        fails(handshake(message), EndReason.DECRYPT_ERROR, TlsAlert.DECRYPT_ERROR);
    }

    @Test
    void rejectsAFinishedOfAnotherLength() {
        byte[] longer = Bytes.join(finished(), new byte[1]);
        longer[3] = 33;
        fails(handshake(longer), EndReason.PROTOCOL_VIOLATION, TlsAlert.DECODE_ERROR);
    }

    /** RFC 8446 section 5.1: a message must not span a key change. */
    @Test
    void rejectsBytesBehindFinishedInItsRecord() {
        fails(
                handshake(Bytes.join(finished(), new byte[] {24, 0, 0, 1, 0})),
                EndReason.UNEXPECTED_MESSAGE,
                TlsAlert.UNEXPECTED_MESSAGE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 11, 15, 24})
    void rejectsOtherMessages(int type) {
        byte[] message = finished();
        message[0] = (byte) type;
        fails(handshake(message), EndReason.UNEXPECTED_MESSAGE, TlsAlert.UNEXPECTED_MESSAGE);
    }

    /** RFC 8446 section 5.1: no empty fragments of handshake messages. */
    @Test
    void rejectsAnEmptyFragment() {
        fails(handshake(new byte[0]), EndReason.UNEXPECTED_MESSAGE, TlsAlert.UNEXPECTED_MESSAGE);
    }

    @Test
    void rejectsDataBeforeFinished() {
        fails(
                seal(new byte[] {1, 2, 3}, ContentType.APPLICATION_DATA),
                EndReason.UNEXPECTED_MESSAGE,
                TlsAlert.UNEXPECTED_MESSAGE);
    }

    @Test
    void rejectsAProtectedChangeCipherSpec() {
        fails(
                seal(new byte[] {1}, ContentType.CHANGE_CIPHER_SPEC),
                EndReason.UNEXPECTED_MESSAGE,
                TlsAlert.UNEXPECTED_MESSAGE);
    }

    @Test
    void rejectsAnUnprotectedFinished() {
        fails(
                Bytes.join(new byte[] {22, 3, 3, 0, 36}, finished()),
                EndReason.UNEXPECTED_MESSAGE,
                TlsAlert.UNEXPECTED_MESSAGE);
    }

    @Test
    void rejectsAForgedRecord() {
        byte[] record = handshake(finished());
        record[record.length - 1] ^= 1;
        fails(record, EndReason.BAD_RECORD_MAC, TlsAlert.BAD_RECORD_MAC);
    }

    @Test
    void rejectsAnOversizedRecord() {
        fails(new byte[] {23, 3, 3, 0x41, 1}, EndReason.RECORD_OVERFLOW, TlsAlert.RECORD_OVERFLOW);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void rejectsAChangeCipherSpecWithAnotherContent(int value) {
        fails(new byte[] {20, 3, 3, 0, 1, (byte) value}, EndReason.UNEXPECTED_MESSAGE, TlsAlert.UNEXPECTED_MESSAGE);
    }

    @Test
    void rejectsAChangeCipherSpecInsideFinished() {
        feed(handshake(Arrays.copyOfRange(finished(), 0, 10)));
        fails(CHANGE_CIPHER_SPEC, EndReason.UNEXPECTED_MESSAGE, TlsAlert.UNEXPECTED_MESSAGE);
    }

    @Test
    void boundsChangeCipherSpecs() {
        for (int i = 0; i < 32; i++) {
            feed(CHANGE_CIPHER_SPEC);
        }
        fails(CHANGE_CIPHER_SPEC, EndReason.FLOOD, TlsAlert.UNEXPECTED_MESSAGE);
    }

    /** A client that rejects the certificate sends its alert under its handshake keys; others cannot. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void reportsTheClientsAlert(boolean isProtected) {
        byte[] alert = {2, (byte) TlsAlert.UNKNOWN_CA.number()};
        feed(isProtected ? seal(alert, ContentType.ALERT) : Bytes.join(new byte[] {21, 3, 3, 0, 2}, alert));
        assertThat(server.handshake()).isEqualTo(EngineStatus.FAILED);
        TlsFailure failure = Objects.requireNonNull(server.failure());
        assertThat(failure.reason()).isEqualTo(EndReason.alertReceived(TlsAlert.UNKNOWN_CA.number()));
        assertThat(server.state()).isEqualTo(EngineState.FAILED);
    }

    @Test
    void reportsAClientThatClosesInTheHandshake() {
        feed(seal(new byte[] {1, 90}, ContentType.ALERT)); // user_canceled
        feed(seal(new byte[] {1, 0}, ContentType.ALERT));
        assertThat(server.handshake()).isEqualTo(EngineStatus.FAILED);
        assertThat(Objects.requireNonNull(server.failure()).reason()).isEqualTo(EndReason.CLOSED_IN_HANDSHAKE);
    }

    @Test
    void reportsATruncatedHandshake() {
        server.receivedEndOfStream();
        assertThat(server.handshake()).isEqualTo(EngineStatus.FAILED);
        assertThat(Objects.requireNonNull(server.failure()).reason()).isEqualTo(EndReason.HANDSHAKE_TRUNCATED);
    }

    /** Alerts after the server's Finished are under its keys of application data, which libssl verifies. */
    @Test
    void theClientReadsTheAlert() {
        byte[] flight = drain(server);
        RawMemory.copy(flight, 0, client.receiveAddress(), flight.length);
        client.received(flight.length);
        assertThat(client.handshake()).isEqualTo(EngineStatus.DONE);
        byte[] record = drain(client);
        record[record.length - 1] ^= 1;
        feed(record);
        assertThat(server.handshake()).isEqualTo(EngineStatus.FAILED);
        byte[] alert = drain(server);
        RawMemory.copy(alert, 0, client.receiveAddress(), alert.length);
        client.received(alert.length);
        assertThat(client.read(room.address(), ROOM)).isEqualTo(EngineStatus.FAILED);
        assertThat(Objects.requireNonNull(client.failure()).alert()).isEqualTo(TlsAlert.BAD_RECORD_MAC.number());
    }

    private void fails(byte[] bytes, EndReason reason, TlsAlert alert) {
        server.sent(server.sendLength());
        feed(bytes);
        assertThat(server.handshake()).isEqualTo(EngineStatus.FAILED);
        TlsFailure failure = Objects.requireNonNull(server.failure());
        assertThat(failure.reason()).isEqualTo(reason);
        assertThat(failure.alert()).isEqualTo(alert.number());
        assertThat(server.sendLength()).isEqualTo(5 + 2 + 1 + 16); // the alert, protected
        assertThat(server.state()).isEqualTo(EngineState.FAILED);
        assertThat(server.handshake()).isEqualTo(EngineStatus.FAILED);
    }

    private byte[] finished() {
        return Bytes.join(new byte[] {FINISHED, 0, 0, 32}, verifyData);
    }

    private byte[] handshake(byte[] content) {
        return seal(content, ContentType.HANDSHAKE);
    }

    private byte[] seal(byte[] content, int type) {
        long payload = room.address() + RecordProtector.HEADER_BYTES;
        RawMemory.copy(content, 0, payload, content.length);
        byte[] record = new byte[protector.seal(keys.address(), payload, content.length, type)];
        RawMemory.copy(room.address(), record, 0, record.length);
        return record;
    }

    private void feed(byte[] bytes) {
        assertThat(server.receiveCapacity()).isGreaterThanOrEqualTo(bytes.length);
        RawMemory.copy(bytes, 0, server.receiveAddress(), bytes.length);
        server.received(bytes.length);
    }

    private static byte[] drain(BufferedEngine from) {
        byte[] bytes = new byte[from.sendLength()];
        RawMemory.copy(from.sendAddress(), bytes, 0, bytes.length);
        from.sent(bytes.length);
        return bytes;
    }
}
