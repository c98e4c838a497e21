package dev.sluice.tls.record;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.AllocatedBytes;
import dev.sluice.tls.failure.EndReason;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the post-handshake protocol with two channels of one connection, and with raw records of the peer. */
final class RecordChannelTest {
    private static final int KEY_UPDATE = 24;

    private final Map<String, Ledger.Balance> before = Ledger.process().balances();
    private final MallocAllocator allocator = new MallocAllocator();
    private final RecordResources resources = new RecordResources(allocator);
    private final MemorySegment memory = allocator.allocate(2 * ConnectionKeys.BYTES + 40_000, 64);
    private final long serverKeys = memory.address();
    private final long clientKeys = serverKeys + ConnectionKeys.BYTES;
    private final long room = clientKeys + ConnectionKeys.BYTES;

    @BeforeEach
    void bothSidesHaveTheSameSecrets() {
        establish(CipherSuite.TLS_AES_128_GCM_SHA256);
    }

    @AfterEach
    void everythingIsGivenBack() {
        resources.close();
        allocator.free(memory);
        assertThat(Ledger.process().leaksSince(before)).isEmpty();
    }

    private RecordChannel server = channel(serverKeys);
    private RecordChannel client = channel(clientKeys);

    private RecordChannel channel(long keys) {
        return new RecordChannel(resources, CipherSuite.TLS_AES_128_GCM_SHA256, keys);
    }

    private void establish(CipherSuite suite) {
        ConnectionKeys.begin(serverKeys, true);
        ConnectionKeys.begin(clientKeys, false);
        Random random = new Random(11);
        byte[] secret = new byte[suite.hash().bytes()];
        for (boolean clients : new boolean[] {true, false}) {
            random.nextBytes(secret);
            for (long block : new long[] {serverKeys, clientKeys}) {
                long keys = clients ? ConnectionKeys.client(block) : ConnectionKeys.server(block);
                RawMemory.copy(secret, 0, TrafficKeys.secretAddress(keys), secret.length);
                resources.schedule().deriveKeys(suite, keys);
            }
        }
        server = new RecordChannel(resources, suite, serverKeys);
        client = new RecordChannel(resources, suite, clientKeys);
    }

    // ---- data

    @Test
    void reportsTheMissingBytesOfARecord() {
        int bytes = seal(client, "hello");
        for (int available = 0; available < bytes; available++) {
            assertThat(server.open(room, available)).isEqualTo(RecordChannel.NEED_MORE);
        }
        assertThat(server.open(room, bytes + 100)).isEqualTo(bytes);
        assertThat(payload(server)).isEqualTo("hello");
    }

    @Test
    void sealsOnlyAfterControlRecords() {
        client.requestKeyUpdate();
        assertThatThrownBy(() -> seal(client, "too early"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("writeControl");
        transferControl(client, server);
        deliver(client, server, "now");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rejectsARecordOverTheNegotiatedLength(boolean tls13) {
        if (!tls13) {
            establish12();
        }
        server.maxPayloadBytes(512);
        deliver(client, server, "x".repeat(512));
        int bytes = seal(client, "x".repeat(513));
        assertThat(server.open(room, bytes)).isEqualTo(RecordChannel.FAILED);
        assertThat(server.reason()).isEqualTo(EndReason.RECORD_OVERFLOW);
        assertThat(server.alert()).isEqualTo(Alert.RECORD_OVERFLOW);
        assertAlertIsTold(Alert.RECORD_OVERFLOW);
    }

    @Test
    void rejectsALimitAboveTheProtocols() {
        assertThat(server.maxPayloadBytes()).isEqualTo(RecordProtector.MAX_PAYLOAD_BYTES);
        assertThatThrownBy(() -> server.maxPayloadBytes(RecordProtector.MAX_PAYLOAD_BYTES + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bytes=16385");
        assertThatThrownBy(() -> server.maxPayloadBytes(0)).isInstanceOf(IllegalArgumentException.class);
    }

    // ---- key updates

    @Test
    void answersARequestedKeyUpdate() {
        client.requestKeyUpdate();
        transferControl(client, server);
        assertThat(server.controlWaits()).isTrue();
        transferControl(server, client);
        assertThat(client.controlWaits()).isFalse();
        deliver(client, server, "under the second key");
        deliver(server, client, "both");
    }

    @Test
    void acceptsAFragmentedKeyUpdate() {
        byte[] message = {KEY_UPDATE, 0, 0, 1, 0};
        for (int i = 0; i < message.length; i++) {
            assertThat(open(server, raw(new byte[] {message[i]}, ContentType.HANDSHAKE)))
                    .isPositive();
        }
        resources.schedule().nextGeneration(CipherSuite.TLS_AES_128_GCM_SHA256, ConnectionKeys.sealing(clientKeys));
        deliver(client, server, "second key");
    }

    @ParameterizedTest
    @CsvSource({
        "24 0 0 1 2, 47", // a request that is neither 0 nor 1: illegal_parameter
        "24 0 0 2 0 0, 50", // too long: decode_error
        "24 0 0 0, 50",
        "24 0 0 1 0 24, 10", // something after it in the same record: unexpected_message
        "4 0 0 1 0, 10", // a ticket from a client
        "1 0 0 4 3 3 0 0, 10", // a second ClientHello
        "20 0 0 1 0, 10", // a second Finished
    })
    void rejectsOtherHandshakeMessages(String message, int alert) {
        assertThat(open(server, raw(bytes(message), ContentType.HANDSHAKE))).isEqualTo(RecordChannel.FAILED);
        assertThat(server.alert()).isEqualTo(alert);
        assertAlertIsTold(alert);
    }

    @Test
    void rejectsDataBetweenFragmentsOfAMessage() {
        assertThat(open(server, raw(new byte[] {KEY_UPDATE, 0}, ContentType.HANDSHAKE)))
                .isPositive();
        assertThat(open(server, raw(new byte[] {1}, ContentType.APPLICATION_DATA)))
                .isEqualTo(RecordChannel.FAILED);
        assertThat(server.alert()).isEqualTo(Alert.UNEXPECTED_MESSAGE);
    }

    @Test
    void rejectsAFloodOfKeyUpdates() {
        for (int i = 0; i < RecordChannel.MAX_EMPTY_RECORDS_IN_A_ROW; i++) {
            client.requestKeyUpdate();
            transferControl(client, server);
            transferControl(server, client);
        }
        client.requestKeyUpdate();
        int bytes = client.writeControl(room);
        assertThat(server.open(room, bytes)).isEqualTo(RecordChannel.FAILED);
        assertThat(server.reason()).isEqualTo(EndReason.FLOOD);
    }

    @Test
    void acceptsManyAnswersToOurRequests() {
        for (int i = 0; i < 3 * RecordChannel.MAX_EMPTY_RECORDS_IN_A_ROW; i++) {
            client.requestKeyUpdate();
            transferControl(client, server);
            deliver(client, server, "an upload");
            transferControl(server, client);
        }
    }

    @Test
    void acceptsManyKeyUpdatesWithDataBetween() {
        for (int i = 0; i < 3 * RecordChannel.MAX_EMPTY_RECORDS_IN_A_ROW; i++) {
            client.requestKeyUpdate();
            transferControl(client, server);
            transferControl(server, client);
            deliver(client, server, "data");
            deliver(server, client, "data");
        }
    }

    @Test
    void rejectsAFloodOfEmptyRecords() {
        for (int i = 0; i < RecordChannel.MAX_EMPTY_RECORDS_IN_A_ROW; i++) {
            assertThat(open(server, raw(new byte[0], ContentType.APPLICATION_DATA)))
                    .isPositive();
        }
        assertThat(open(server, raw(new byte[0], ContentType.APPLICATION_DATA))).isEqualTo(RecordChannel.FAILED);
        assertThat(server.alert()).isEqualTo(Alert.UNEXPECTED_MESSAGE);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 7})
    void updatesTheKeyAtItsLimitWithoutReusingANonce(long limit) {
        client.sealingLimit(limit);
        server.sealingLimit(limit + 1);
        Set<String> used = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            for (RecordChannel from : new RecordChannel[] {client, server}) {
                RecordChannel to = from == client ? server : client;
                long keys = ConnectionKeys.sealing(from == client ? clientKeys : serverKeys);
                if (from.controlWaits()) {
                    audit(used, keys);
                    transferControl(from, to);
                }
                audit(used, keys);
                deliver(from, to, "record " + i);
            }
        }
        assertThat(used).hasSizeGreaterThanOrEqualTo(400);
    }

    private static void audit(Set<String> used, long keys) {
        byte[] key = new byte[16];
        RawMemory.copy(TrafficKeys.keyAddress(keys), key, 0, key.length);
        String pair = HexFormat.of().formatHex(key) + "/" + TrafficKeys.sequence(keys);
        assertThat(used.add(pair)).as("key and nonce used twice: %s", pair).isTrue();
    }

    // ---- alerts and the end

    @Test
    void closeNotifyEndsOneDirectionAndLaterRecordsAreIgnored() {
        client.closeOutput();
        int bytes = client.writeControl(room);
        assertThat(server.open(room, bytes)).isEqualTo(RecordChannel.CLOSED);
        assertThat(open(server, raw(new byte[] {1}, ContentType.APPLICATION_DATA)))
                .isEqualTo(RecordChannel.CLOSED);
        deliver(server, client, "the other direction continues");
        assertThatThrownBy(() -> seal(client, "after the end")).hasMessageContaining("closed");
        assertThat(client.controlWaits()).isFalse();
    }

    @Test
    void aReceivedAlertEndsTheConnectionWithoutAnswer() {
        assertThat(open(server, raw(new byte[] {2, 40}, ContentType.ALERT))).isEqualTo(RecordChannel.FAILED);
        assertThat(server.alertReceived()).isTrue();
        assertThat(server.alert()).isEqualTo(40);
        assertThat(server.controlWaits()).isFalse();
    }

    @Test
    void userCanceledDoesNotCloseTheConnection() {
        assertThat(open(server, raw(new byte[] {1, 90}, ContentType.ALERT))).isPositive();
        assertThat(open(server, raw(new byte[] {1, 0}, ContentType.ALERT))).isEqualTo(RecordChannel.CLOSED);
    }

    @Test
    void rejectsAnAlertRecordWithoutAnAlert() {
        assertThat(open(server, raw(new byte[0], ContentType.ALERT))).isEqualTo(RecordChannel.FAILED);
        assertAlertIsTold(Alert.UNEXPECTED_MESSAGE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 255})
    void rejectsAnAlertOfUnknownLevel(int level) {
        assertThat(open(server, raw(new byte[] {(byte) level, 90}, ContentType.ALERT)))
                .isEqualTo(RecordChannel.FAILED);
        assertThat(server.reason()).isEqualTo(EndReason.MALFORMED_ALERT);
        assertAlertIsTold(Alert.ILLEGAL_PARAMETER);
    }

    @Test
    void countsWarningsAndEmptyRecordsSeparately() {
        for (int i = 0; i < RecordChannel.MAX_WARNINGS_IN_A_ROW; i++) {
            assertThat(open(server, raw(new byte[] {1, 90}, ContentType.ALERT))).isPositive();
        }
        for (int i = 0; i < RecordChannel.MAX_EMPTY_RECORDS_IN_A_ROW; i++) {
            assertThat(open(server, raw(new byte[0], ContentType.APPLICATION_DATA)))
                    .isPositive();
        }
        assertThat(open(server, raw(new byte[] {1, 90}, ContentType.ALERT))).isEqualTo(RecordChannel.FAILED);
        assertThat(server.reason()).isEqualTo(EndReason.FLOOD);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sendsNoAnswerAfterItsEnd(boolean tls12) {
        if (tls12) {
            establish12();
        }
        server.closeOutput();
        int bytes = server.writeControl(room);
        assertThat(client.open(room, bytes)).isEqualTo(RecordChannel.CLOSED);
        for (int i = 0; i < 3; i++) {
            int opened = tls12
                    ? open(server, raw12(new byte[] {1, 0, 0, 0}, ContentType.HANDSHAKE))
                    : open(server, raw(new byte[] {KEY_UPDATE, 0, 0, 1, 1}, ContentType.HANDSHAKE));
            assertThat(opened).isPositive();
            assertThat(server.controlWaits()).isFalse();
            if (!tls12) {
                resources
                        .schedule()
                        .nextGeneration(CipherSuite.TLS_AES_128_GCM_SHA256, ConnectionKeys.sealing(clientKeys));
            }
        }
        server.updateKey();
        server.requestKeyUpdate();
        server.truncated();
        assertThat(server.controlWaits()).as("no alert either").isFalse();
        assertThat(server.alert()).isEqualTo(-1);
    }

    @Test
    void dropsAPendingAnswerWithTheConnection() {
        client.requestKeyUpdate();
        int bytes = client.writeControl(room);
        assertThat(server.open(room, bytes)).isEqualTo(bytes);
        assertThat(server.controlWaits()).isTrue();
        assertThat(open(server, raw(new byte[] {2, 40}, ContentType.ALERT))).isEqualTo(RecordChannel.FAILED);
        assertThat(server.controlWaits()).isFalse();
    }

    @Test
    void oneKeyUpdateAnswersManyRequests() {
        for (int i = 0; i < 5; i++) {
            client.requestKeyUpdate();
            int bytes = client.writeControl(room);
            assertThat(server.open(room, bytes)).isEqualTo(bytes);
        }
        transferControl(server, client);
        assertThat(server.controlWaits()).isFalse();
        deliver(server, client, "under the second key");
        deliver(client, server, "under the sixth");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void rejectsAnAlertOfAnotherSize(int length) {
        assertThat(open(server, raw(new byte[length], ContentType.ALERT))).isEqualTo(RecordChannel.FAILED);
        assertAlertIsTold(Alert.DECODE_ERROR);
    }

    @ParameterizedTest
    @CsvSource({
        "20, 3, 3, 1, 10", // ChangeCipherSpec after the handshake
        "21, 3, 3, 2, 10", // an alert in the clear
        "22, 3, 3, 4, 10",
        "0, 3, 3, 4, 10",
        "23, 3, 1, 40, 50",
        "23, 2, 0, 40, 50",
    })
    void rejectsUnexpectedRecordTypes(int type, int major, int minor, int length, int alert) {
        RawMemory.zero(room, 100);
        RawMemory.putByte(room, (byte) type);
        RawMemory.putByte(room + 1, (byte) major);
        RawMemory.putByte(room + 2, (byte) minor);
        RawMemory.putShortBigEndian(room + 3, (short) length);
        assertThat(server.open(room, 5 + length)).isEqualTo(RecordChannel.FAILED);
        assertAlertIsTold(alert);
    }

    @Test
    void rejectsAnOversizedRecordBeforeItsBody() {
        RawMemory.putByte(room, (byte) 23);
        RawMemory.putShortBigEndian(room + 1, (short) 0x0303);
        RawMemory.putShortBigEndian(room + 3, (short) (RecordProtector.MAX_CIPHERTEXT_BYTES + 1));
        assertThat(server.open(room, 5)).isEqualTo(RecordChannel.FAILED);
        assertAlertIsTold(Alert.RECORD_OVERFLOW);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20, 24, 99})
    void rejectsUnexpectedInnerTypes(int type) {
        byte[] body = type == 0 ? new byte[0] : new byte[] {1};
        assertThat(open(server, raw(body, type))).isEqualTo(RecordChannel.FAILED);
        assertAlertIsTold(Alert.UNEXPECTED_MESSAGE);
    }

    @Test
    void rejectsReflectedRecords() {
        int bytes = seal(client, "mirror");
        assertThat(client.open(room, bytes)).isEqualTo(RecordChannel.FAILED);
        assertThat(client.reason()).isEqualTo(EndReason.BAD_RECORD_MAC);
        assertThat(client.open(room, bytes)).as("and it stays failed").isEqualTo(RecordChannel.FAILED);
    }

    // ---- TLS 1.2

    @Test
    void tls12DeclinesRenegotiationAndContinues() {
        establish12();
        assertThat(open(server, raw12(new byte[] {1, 0, 0, 0}, ContentType.HANDSHAKE)))
                .as("%s", server.reason())
                .isPositive();
        int bytes = server.writeControl(room);
        assertThat(client.open(room, bytes)).as("no_renegotiation is a warning").isEqualTo(bytes);
        deliver(client, server, "as before");
        deliver(server, client, "both ways");
        client.closeOutput();
        bytes = client.writeControl(room);
        assertThat(server.open(room, bytes)).isEqualTo(RecordChannel.CLOSED);
    }

    @ParameterizedTest
    @CsvSource({
        "0 0 0 0", // a HelloRequest, which is a server's
        "2 0 0 2 3 3",
        "4 0 0 0", // a NewSessionTicket after the handshake
        "11 0 0 3 0 0 0",
        "16 0 0 0",
        "20 0 0 12", // a second Finished
        "24 0 0 1 0", // a KeyUpdate, which TLS 1.2 lacks
        "99 0 0 0",
    })
    void tls12RejectsMessagesOutOfOrder(String message) {
        establish12();
        assertThat(open(server, raw12(bytes(message), ContentType.HANDSHAKE))).isEqualTo(RecordChannel.FAILED);
        assertThat(server.reason()).isEqualTo(EndReason.UNEXPECTED_MESSAGE);
        assertAlertIsTold(Alert.UNEXPECTED_MESSAGE);
    }

    @Test
    void tls12ClientDeclinesAHelloRequestAndRejectsAClientHello() {
        establish12();
        int bytes = rawFrom(serverKeys, new byte[] {0, 0, 0, 0}, ContentType.HANDSHAKE);
        assertThat(client.open(room, bytes)).isEqualTo(bytes);
        assertThat(client.controlWaits()).isTrue();
        client.writeControl(room);
        bytes = rawFrom(serverKeys, new byte[] {1, 0, 0, 0}, ContentType.HANDSHAKE);
        assertThat(client.open(room, bytes)).isEqualTo(RecordChannel.FAILED);
        assertThat(client.reason()).isEqualTo(EndReason.UNEXPECTED_MESSAGE);
    }

    @Test
    void tls12AcceptsAFragmentedClientHelloWithoutDataBetween() {
        establish12();
        byte[] hello = {1, 0, 0, 3, 3, 3, 0};
        for (byte piece : hello) {
            assertThat(open(server, raw12(new byte[] {piece}, ContentType.HANDSHAKE)))
                    .isPositive();
        }
        transferControl(server, client);
        assertThat(open(server, raw12(new byte[] {1}, ContentType.APPLICATION_DATA)))
                .isPositive();
        assertThat(open(server, raw12(new byte[] {1, 0}, ContentType.HANDSHAKE)))
                .isPositive();
        assertThat(open(server, raw12(new byte[] {1}, ContentType.APPLICATION_DATA)))
                .isEqualTo(RecordChannel.FAILED);
        assertThat(server.reason()).isEqualTo(EndReason.INTERRUPTED_MESSAGE);
        assertAlertIsTold(Alert.UNEXPECTED_MESSAGE);
    }

    @Test
    void tls12RejectsAnOversizedClientHello() {
        establish12();
        assertThat(open(server, raw12(bytes("1 2 1 69"), ContentType.HANDSHAKE)))
                .isEqualTo(RecordChannel.FAILED);
        assertThat(server.reason()).isEqualTo(EndReason.MESSAGE_TOO_LONG);
    }

    @Test
    void tls12RejectsAnEmptyHandshakeRecord() {
        establish12();
        assertThat(open(server, raw12(new byte[0], ContentType.HANDSHAKE))).isEqualTo(RecordChannel.FAILED);
        assertAlertIsTold(Alert.UNEXPECTED_MESSAGE);
    }

    @Test
    void tls12AnswersManyClientHellosOnce() {
        establish12();
        byte[] twoHellos = {1, 0, 0, 0, 1, 0, 0, 1, 7};
        for (int i = 0; i < 5; i++) {
            assertThat(open(server, raw12(twoHellos, ContentType.HANDSHAKE))).isPositive();
        }
        int bytes = server.writeControl(room);
        assertThat(client.open(room, bytes)).as("one warning").isEqualTo(bytes);
        assertThat(server.controlWaits()).isFalse();
    }

    @Test
    void tls12RejectsAFloodOfClientHellos() {
        establish12();
        for (int i = 0; i < RecordChannel.MAX_MESSAGES_IN_A_ROW; i++) {
            assertThat(open(server, raw12(new byte[] {1, 0, 0, 0}, ContentType.HANDSHAKE)))
                    .isPositive();
        }
        assertThat(open(server, raw12(new byte[] {1, 0, 0, 0}, ContentType.HANDSHAKE)))
                .isEqualTo(RecordChannel.FAILED);
        assertThat(server.reason()).isEqualTo(EndReason.FLOOD);
    }

    @Test
    void tls12RejectsAFloodOfWarnings() {
        establish12();
        for (int i = 0; i < RecordChannel.MAX_WARNINGS_IN_A_ROW; i++) {
            assertThat(open(server, raw12(new byte[] {1, 100}, ContentType.ALERT)))
                    .isPositive();
        }
        assertThat(open(server, raw12(new byte[] {1}, ContentType.APPLICATION_DATA)))
                .as("data begins a new row")
                .isPositive();
        for (int i = 0; i < RecordChannel.MAX_WARNINGS_IN_A_ROW; i++) {
            assertThat(open(server, raw12(new byte[] {1, 100}, ContentType.ALERT)))
                    .isPositive();
        }
        assertThat(open(server, raw12(new byte[] {1, 100}, ContentType.ALERT))).isEqualTo(RecordChannel.FAILED);
        assertThat(server.reason()).isEqualTo(EndReason.FLOOD);
    }

    @Test
    void tls12TreatsAFatalCloseNotifyAsAFatalAlert() {
        establish12();
        assertThat(open(server, raw12(new byte[] {2, 0}, ContentType.ALERT))).isEqualTo(RecordChannel.FAILED);
        assertThat(server.alertReceived()).isTrue();
    }

    @Test
    void tls12AcceptsAnAlertBetweenFragmentsOfAMessage() {
        establish12();
        assertThat(open(server, raw12(new byte[] {1, 0}, ContentType.HANDSHAKE)))
                .isPositive();
        assertThat(open(server, raw12(new byte[] {1, 0}, ContentType.ALERT))).isEqualTo(RecordChannel.CLOSED);
    }

    private void establish12() {
        CipherSuite suite = CipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256;
        RawMemory.zero(room, 200);
        ConnectionKeys.begin(serverKeys, true);
        ConnectionKeys.begin(clientKeys, false);
        for (long block : new long[] {serverKeys, clientKeys}) {
            resources
                    .schedule()
                    .deriveKeys12(suite, room, room + 48, ConnectionKeys.client(block), ConnectionKeys.server(block));
        }
        server = new RecordChannel(resources, suite, serverKeys);
        client = new RecordChannel(resources, suite, clientKeys);
    }

    // ---- cost

    @Test
    void allocatesNothingPerRecord() {
        Runnable records = () -> {
            for (int i = 0; i < 20_000; i++) {
                int bytes = client.seal(room + client.headroom(), 100);
                if (server.open(room, bytes) != bytes) {
                    throw new AssertionError("record " + i);
                }
            }
        };
        assertThat(AllocatedBytes.leastDuring(records)).isLessThan(20_000);
    }

    // ---- helpers

    private int seal(RecordChannel from, String text) {
        byte[] bytes = text.getBytes(US_ASCII);
        long payload = room + from.headroom();
        RawMemory.copy(bytes, 0, payload, bytes.length);
        return from.seal(payload, bytes.length);
    }

    private void deliver(RecordChannel from, RecordChannel to, String text) {
        if (from.controlWaits()) {
            transferControl(from, to);
        }
        int bytes = seal(from, text);
        assertThat(to.open(room, bytes)).as("%s", to.reason()).isEqualTo(bytes);
        assertThat(payload(to)).isEqualTo(text);
    }

    private void transferControl(RecordChannel from, RecordChannel to) {
        int bytes = from.writeControl(room);
        assertThat(bytes).isPositive().isLessThanOrEqualTo(RecordChannel.MAX_CONTROL_BYTES);
        assertThat(to.open(room, bytes)).as("%s", to.reason()).isEqualTo(bytes);
        assertThat(to.payloadLength()).isZero();
    }

    /** Writes a record of the client with any body and inner type into {@link #room}. */
    private int raw(byte[] body, int type) {
        RawMemory.copy(body, 0, room + RecordProtector.HEADER_BYTES, body.length);
        return resources
                .protector(Aead.AES_128_GCM)
                .seal(ConnectionKeys.sealing(clientKeys), room + RecordProtector.HEADER_BYTES, body.length, type);
    }

    private int raw12(byte[] body, int type) {
        return rawFrom(clientKeys, body, type);
    }

    /** Writes such a record with TLS 1.2, from either side. */
    private int rawFrom(long keys, byte[] body, int type) {
        RecordProtector protector = resources.protector(Aead.AES_128_GCM);
        RawMemory.copy(body, 0, room + protector.headroom12(), body.length);
        return protector.seal12(ConnectionKeys.sealing(keys), room + protector.headroom12(), body.length, type);
    }

    @SuppressWarnings("StringSplitter")
    private static byte[] bytes(String decimals) {
        String[] parts = decimals.trim().split(" ");
        byte[] bytes = new byte[parts.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(parts[i]);
        }
        return bytes;
    }

    private int open(RecordChannel to, int bytes) {
        return to.open(room, bytes);
    }

    private void assertAlertIsTold(int alert) {
        assertThat(server.alert()).isEqualTo(alert);
        int bytes = server.writeControl(room);
        assertThat(client.open(room, bytes)).isEqualTo(RecordChannel.FAILED);
        assertThat(client.alertReceived()).isTrue();
        assertThat(client.alert()).isEqualTo(alert);
    }

    private static String payload(RecordChannel channel) {
        byte[] bytes = new byte[channel.payloadLength()];
        RawMemory.copy(channel.payloadAddress(), bytes, 0, bytes.length);
        return new String(bytes, US_ASCII);
    }
}
