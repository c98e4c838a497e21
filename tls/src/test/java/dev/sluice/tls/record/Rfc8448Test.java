package dev.sluice.tls.record;

import static dev.sluice.tls.record.RecordFixture.hex;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A comparison with the simple 1-RTT handshake of RFC 8448 section 3: traffic secrets, keys and records. */
final class Rfc8448Test {
    private static final byte[] CLIENT_SECRET = hex("""
            9e 40 64 6c e7 9a 7f 9d c0 5a f8 88 9b ce 65 52
            87 5a fa 0b 06 df 00 87 f7 92 eb b7 c1 75 04 a5""");
    private static final byte[] SERVER_SECRET = hex("""
            a1 1a f9 f0 55 31 f8 56 ad 47 11 6b 45 a9 50 32
            82 04 b4 f4 4b fb 6b 3a 4b 4f 1f 3f cb 63 16 43""");
    private static final byte[] PAYLOAD = hex("""
            00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f
            20 21 22 23 24 25 26 27 28 29 2a 2b 2c 2d 2e 2f 30 31""");
    private static final byte[] CLIENT_RECORD = hex("""
            17 03 03 00 43 a2 3f 70 54 b6 2c 94 d0 af fa fe 82 28 ba 55 cb ef ac ea 42 f9 14 aa 66 bc ab 3f 2b
            98 19 a8 a5 b4 6b 39 5b d5 4a 9a 20 44 1e 2b 62 97 4e 1f 5a 62 92 a2 97 70 14 bd 1e 3d ea e6 3a ee bb
            21 69 49 15 e4""");
    private static final byte[] SERVER_RECORD = hex("""
            17 03 03 00 43 2e 93 7e 11 ef 4a c7 40 e5 38 ad 36 00 5f c4 a4 69 32 fc 32 25 d0 5f 82 aa 1b 36 e3
            0e fa f9 7d 90 e6 df fc 60 2d cb 50 1a 59 a8 fc c4 9c 4b f2 e5 f0 a2 1c 00 47 c2 ab f3 32 54 0d d0 32
            e1 67 c2 95 5d""");
    private static final byte[] CLIENT_CLOSE = hex("""
            17 03 03 00 13 c9 87 27 60 65 56 66 b7 4d 7f f1 15 3e fd 6d b6 d0 b0 e3""");

    private final RecordFixture fixture = new RecordFixture();

    @AfterEach
    void free() {
        fixture.close();
    }

    @Test
    void derivesKeyAndIvOfTheTrafficSecrets() {
        fixture.with(CipherSuite.TLS_AES_128_GCM_SHA256, CLIENT_SECRET);
        assertThat(fixture.get(TrafficKeys.keyAddress(fixture.sealingKeys), 16))
                .isEqualTo(hex("17 42 2d da 59 6e d5 d9 ac d8 90 e3 c6 3f 50 51"));
        assertThat(fixture.get(TrafficKeys.ivAddress(fixture.sealingKeys), 12))
                .isEqualTo(hex("5b 78 92 3d ee 08 57 90 33 e5 23 d9"));
    }

    @Test
    void sealsTheClientsRecordsToTheByte() {
        fixture.with(CipherSuite.TLS_AES_128_GCM_SHA256, CLIENT_SECRET);
        try (RecordProtector protector = new RecordProtector(Aead.AES_128_GCM, fixture.allocator)) {
            assertThat(seal(protector, PAYLOAD, ContentType.APPLICATION_DATA)).isEqualTo(CLIENT_RECORD);
            assertThat(seal(protector, hex("01 00"), ContentType.ALERT)).isEqualTo(CLIENT_CLOSE);
        }
    }

    @Test
    void opensTheServersRecordAfterItsTicket() {
        fixture.with(CipherSuite.TLS_AES_128_GCM_SHA256, SERVER_SECRET);
        TrafficKeys.sequence(fixture.openingKeys, 1); // record 0 is the NewSessionTicket
        try (RecordProtector protector = new RecordProtector(Aead.AES_128_GCM, fixture.allocator)) {
            fixture.put(fixture.record, SERVER_RECORD);
            int opened = protector.open(fixture.openingKeys, fixture.record, SERVER_RECORD.length);
            assertThat(RecordProtector.contentType(opened)).isEqualTo(ContentType.APPLICATION_DATA);
            assertThat(fixture.get(fixture.record + RecordProtector.HEADER_BYTES, RecordProtector.length(opened)))
                    .isEqualTo(PAYLOAD);
            assertThat(TrafficKeys.sequence(fixture.openingKeys)).isEqualTo(2);
        }
    }

    private byte[] seal(RecordProtector protector, byte[] payload, int contentType) {
        long at = fixture.record + RecordProtector.HEADER_BYTES;
        fixture.put(at, payload);
        int bytes = protector.seal(fixture.sealingKeys, at, payload.length, contentType);
        return fixture.get(fixture.record, bytes);
    }
}
