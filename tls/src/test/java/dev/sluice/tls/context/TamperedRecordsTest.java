package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.Bytes;
import dev.sluice.tls.Wire;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.EngineState;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.engine.OurPeer;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests with records between libssl and the direct engine modified in transit: every bit flipped, records repeated,
 * lost, swapped, reflected. Each time the connection fails, the sender is alerted, and none of the record's plaintext
 * is delivered.
 */
final class TamperedRecordsTest extends EngineConformance {
    private static final int RECORD_HEADER = 5;
    private static final int TYPE_OFFSET = 0;
    private static final int LENGTH_OFFSET = 3;
    private static final byte[] SECOND = {'p', 'o', 'n', 'g', '!'};

    TamperedRecordsTest() {
        super(EngineKind.DIRECT);
    }

    @ParameterizedTest
    @CsvSource({
        "TLS_1_3, TLS_AES_128_GCM_SHA256",
        "TLS_1_3, TLS_CHACHA20_POLY1305_SHA256",
        "TLS_1_2, ECDHE-ECDSA-AES128-GCM-SHA256",
        "TLS_1_2, ECDHE-ECDSA-CHACHA20-POLY1305"
    })
    void rejectsEveryFlippedBit(ProtocolVersion version, String suite) {
        Ends ends = ends(version, suite);
        int bits = RECORD_HEADER * Byte.SIZE;
        for (int bit = 0; bit < bits; bit++) {
            try (OurPeer server = kind.server(ends.server());
                    OurPeer client = kind.client(ends.client(), "localhost")) {
                byte[] record = ping(client, server);
                bits = record.length * Byte.SIZE;
                record[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
                server.offer(record);
                server.offer(record.clone()); // so that a longer record becomes complete
                if (bit / Byte.SIZE >= RECORD_HEADER) {
                    assertRefused(client, server, "bad_record_mac", "bit " + bit);
                } else {
                    assertHeaderRefused(server, bit);
                }
            }
        }
    }

    /** Checks that an impossible type, version or length is rejected as such, before there is a tag to verify. */
    private static void assertHeaderRefused(OurPeer server, int bit) {
        int field = bit / Byte.SIZE;
        assertThat(server.read()).as("bit %d", bit).isEmpty();
        boolean longer = field >= LENGTH_OFFSET && server.lastStatus() == EngineStatus.WANT_READ;
        if (longer) {
            server.endOfStream();
            assertThat(server.read()).as("bit %d", bit).isEmpty();
        }
        List<String> reasons = longer
                ? List.of("truncated")
                : field == TYPE_OFFSET
                        ? List.of("unprotected_record", "bad_record_mac")
                        : field < LENGTH_OFFSET
                                ? List.of("wrong_record_version")
                                : List.of("record_overflow", "bad_record_mac");
        assertThat(server.failure()).as("bit %d", bit).isIn(reasons);
        assertThat(server.engine().state()).isEqualTo(EngineState.FAILED);
    }

    @ParameterizedTest
    @CsvSource({
        "TLS_1_3, TLS_AES_256_GCM_SHA384",
        "TLS_1_3, TLS_CHACHA20_POLY1305_SHA256",
        "TLS_1_2, ECDHE-ECDSA-AES256-GCM-SHA384",
        "TLS_1_2, ECDHE-ECDSA-CHACHA20-POLY1305"
    })
    void rejectsMisplacedRecords(ProtocolVersion version, String suite) {
        Ends ends = ends(version, suite);
        List<Tampering> all = List.of(
                new Tampering("repeated", PING, records -> new byte[][] {records[0], records[0]}),
                new Tampering("lost", new byte[0], records -> new byte[][] {records[1]}),
                new Tampering("exchanged", new byte[0], records -> new byte[][] {records[1], records[0]}),
                new Tampering("sent back", new byte[0], records -> new byte[][] {records[2]}),
                new Tampering("sent back in between", PING, records -> new byte[][] {records[0], records[2]}),
                new Tampering("shortened", new byte[0], records -> new byte[][] {shortened(records[0])}),
                new Tampering("joined", new byte[0], records -> new byte[][] {joined(records[0], records[1])}));
        for (Tampering tampering : all) {
            try (OurPeer server = kind.server(ends.server());
                    OurPeer client = kind.client(ends.client(), "localhost")) {
                byte[][] records = {ping(client, server), null, null};
                client.write(SECOND);
                records[1] = client.takeOutput();
                server.write(PING);
                records[2] = server.takeOutput();
                Arrays.stream(tampering.change().apply(records)).forEach(server::offer);

                assertThat(server.read()).as(tampering.name()).isEqualTo(tampering.plaintextBefore());
                assertThat(server.lastStatus()).as(tampering.name()).isEqualTo(EngineStatus.FAILED);
                client.offer(records[2]);
                assertThat(client.read()).isEqualTo(PING);
                assertRefused(client, server, "bad_record_mac", tampering.name());
            }
        }
    }

    private static void assertRefused(OurPeer client, OurPeer server, String reason, String what) {
        assertThat(server.read()).as(what).isEmpty();
        assertThat(server.engine().state()).as(what).isEqualTo(EngineState.FAILED);
        assertThat(server.failure()).as(what).isEqualTo(reason);
        assertThat(server.read()).as("again after %s", what).isEmpty();
        Wire.whole().carry(server, client);
        assertThat(client.failure()).as(what).isEqualTo("alert_received_" + reason);
    }

    private static byte[] shortened(byte[] record) {
        byte[] result = Arrays.copyOf(record, record.length - 1);
        result[LENGTH_OFFSET + 1]--;
        return result;
    }

    /** Joins two records' bodies under one header. */
    private static byte[] joined(byte[] first, byte[] second) {
        byte[] result = Bytes.join(first, Arrays.copyOfRange(second, RECORD_HEADER, second.length));
        result[LENGTH_OFFSET + 1] = (byte) (result.length - RECORD_HEADER);
        return result;
    }

    /** Returns the record with {@code PING} on a new connection; everything before it has arrived. */
    private static byte[] ping(OurPeer client, OurPeer server) {
        Wire wire = Wire.whole();
        wire.handshake(client, server);
        assertThat(wire.carry(server, client)).isEmpty();
        client.write(PING);
        return client.takeOutput();
    }

    private Ends ends(ProtocolVersion version, String suite) {
        ServerContextBuilder server = serverWith(CERTIFICATES.server()).versions(version, version);
        if (version == ProtocolVersion.TLS_1_3) {
            server.cipherSuites(List.of(suite));
        } else {
            server.cipherList(suite);
        }
        return new Ends(
                closing(server.build()),
                closing(trustingClient().versions(version, version).build()));
    }

    private record Ends(TlsContext server, TlsContext client) {}

    /**
     * A modification of a connection's records.
     *
     * @param plaintextBefore the unmodified plaintext before it
     * @param change computes the server's input from the client's first and second and the server's first record
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Tampering(String name, byte[] plaintextBefore, UnaryOperator<byte[][]> change) {}
}
