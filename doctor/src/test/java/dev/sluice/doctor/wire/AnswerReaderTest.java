package dev.sluice.doctor.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests of well-formed and malformed server answers. */
class AnswerReaderTest {
    /** The ServerHello of RFC 8448 section 3, as a record. */
    private static final byte[] RFC_8448_SERVER_HELLO = HexFormat.of()
            .parseHex("160303005a020000560303a6af06a4121860dc5e6e60249cd34c95930c8ac5cb1434dac155772ed3e2692800130100"
                    + "002e00330024001d0020c9828876112095fe66762bdbf7c672e156d6"
                    + "cc253b833df1dd69b1b04e751f0f002b00020304");

    /** The HelloRetryRequest of RFC 8448 section 5: it requests P-256. */
    private static final byte[] RFC_8448_RETRY = HexFormat.of()
            .parseHex("16030300b0020000ac0303cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c0013010000"
                    + "84003300020017002c0074007271dcd04bb88bc3189119398a00000000eefafc76c146b823b096f8aacad365dd00309"
                    + "53f4edf625636e5f21bb2e23fcc654b1b5b40318d10d137abcbb87574e36e8a1f025f7dfa5d6e50781b5eda4aa15b0"
                    + "c8be778257d16aa3030e9e7841dd9e4c0342267e8ca0caf571fb2b7cff0f934b0002b00020304");

    @Test
    void parsesTheServerHelloOfTheStandard() throws IOException {
        assertThat(read(RFC_8448_SERVER_HELLO)).isInstanceOfSatisfying(ServerAnswer.Chosen.class, chosen -> {
            assertThat(chosen.hello().version()).isEqualTo(0x0304);
            assertThat(chosen.hello().suite()).isEqualTo(0x1301);
            assertThat(chosen.hello().retry()).isFalse();
            assertThat(chosen.group()).isEqualTo(0x001D);
        });
    }

    @Test
    void parsesTheHelloRetryRequestOfTheStandard() throws IOException {
        assertThat(read(RFC_8448_RETRY)).isInstanceOfSatisfying(ServerAnswer.Chosen.class, chosen -> {
            assertThat(chosen.hello().retry()).isTrue();
            assertThat(chosen.group()).isEqualTo(0x0017);
        });
    }

    @Test
    void parsesAMessageInSeveralRecords() throws IOException {
        byte[] message = Arrays.copyOfRange(RFC_8448_SERVER_HELLO, 5, RFC_8448_SERVER_HELLO.length);
        ByteWriter records = new ByteWriter();
        for (byte each : message) {
            records.u8(22).u16(0x0303).u16(1).u8(each);
        }

        assertThat(read(records.toBytes())).isInstanceOf(ServerAnswer.Chosen.class);
    }

    @Test
    void treatsAnAlertAsARefusal() throws IOException {
        assertThat(read(hex("15030300020228"))).isEqualTo(new ServerAnswer.Refused(40));
    }

    @Test
    void ignoresAWarningOfAnUnknownName() throws IOException {
        ByteWriter both = new ByteWriter().bytes(hex("15030300020170")).bytes(RFC_8448_SERVER_HELLO);

        assertThat(read(both.toBytes())).isInstanceOf(ServerAnswer.Chosen.class);
    }

    /** Of two, the second one replaced the first, so that what was audited was not what was chosen. */
    @Test
    void rejectsASecondServerHello() throws IOException {
        byte[] hello = hex("160303002a" + "02000026" + "0303" + "00".repeat(32) + "00" + "c02f" + "00");
        ByteWriter both = new ByteWriter().bytes(hello).bytes(hello);

        assertThat(new AnswerReader(new ByteArrayInputStream(both.toBytes()), true).read())
                .isEqualTo(new ServerAnswer.NotTls("a second ServerHello comes before the end of the first flight"));
    }

    @Test
    void reportsAnEndWithoutAnAnswer() throws IOException {
        assertThat(read(new byte[0])).isEqualTo(new ServerAnswer.Closed());
    }

    @Test
    void showsBytesThatAreNotTls() throws IOException {
        assertThat(read("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(new ServerAnswer.NotTls("begins with \"HTTP/\""));
    }

    @Test
    void rejectsEveryTruncation() throws IOException {
        for (int length = 1; length < RFC_8448_SERVER_HELLO.length; length++) {
            assertThat(read(Arrays.copyOf(RFC_8448_SERVER_HELLO, length)))
                    .as("%d bytes", length)
                    .isInstanceOf(ServerAnswer.NotTls.class);
        }
    }

    /** Checks that reading ends with one of the possible answers for any change of a message. */
    @Test
    void survivesAChangeOfAnyByte() throws IOException {
        for (int at = 0; at < RFC_8448_RETRY.length; at++) {
            for (int value : new int[] {0, 1, 0x7F, 0x80, 0xFE, 0xFF}) {
                byte[] changed = RFC_8448_RETRY.clone();
                changed[at] = (byte) value;
                assertThat(read(changed)).as("byte %d is %d", at, value).isNotNull();
            }
        }
    }

    @Test
    void garbageAfterAValidHeaderIsAnAnswer() throws IOException {
        Random random = new Random(42);
        for (int round = 0; round < 2_000; round++) {
            byte[] body = new byte[1 + random.nextInt(300)];
            random.nextBytes(body);
            body[0] = 2;
            ByteWriter record = new ByteWriter().u8(22).u16(0x0303).vector16(new ByteWriter().bytes(body));
            assertThat(read(record.toBytes())).isNotNull();
        }
    }

    @Test
    void limitsAnEndlessAnswer() throws IOException {
        ByteWriter endless = new ByteWriter();
        ByteWriter start = new ByteWriter().u8(2).u24(AnswerReader.MAX_BYTES).bytes(new byte[16_000]);
        endless.u8(22).u16(0x0303).vector16(start);
        for (int i = 0; i < 20; i++) {
            endless.u8(22).u16(0x0303).vector16(new ByteWriter().bytes(new byte[16_000]));
        }

        assertThat(read(endless.toBytes()))
                .isInstanceOfSatisfying(
                        ServerAnswer.NotTls.class,
                        not -> assertThat(not.what()).contains("more than " + AnswerReader.MAX_BYTES));
    }

    @Test
    void measuresAPrime() throws IOException {
        ByteWriter hello = new ByteWriter()
                .u16(0x0303)
                .bytes(new byte[32])
                .u8(0)
                .u16(Suite.TLS_DHE_RSA_WITH_AES_128_GCM_SHA256.number())
                .u8(0);
        byte[] prime = new byte[128];
        prime[0] = (byte) 0x80;
        ByteWriter exchange = new ByteWriter().vector16(new ByteWriter().bytes(prime));
        ByteWriter messages = new ByteWriter()
                .u8(2)
                .u24(hello.size())
                .bytes(hello.toBytes())
                .u8(12)
                .u24(exchange.size())
                .bytes(exchange.toBytes());
        byte[] record = new ByteWriter().u8(22).u16(0x0303).vector16(messages).toBytes();

        assertThat(new AnswerReader(new ByteArrayInputStream(record), true).read())
                .isInstanceOfSatisfying(
                        ServerAnswer.Chosen.class,
                        chosen -> assertThat(chosen.dhBits()).isEqualTo(1_024));
    }

    @Test
    void aReaderStaysWithinItsPart() throws MalformedException {
        ByteReader reader = new ByteReader(hex("0002aabbcc"));
        ByteReader part = reader.vector16("part");
        part.u16("both");

        assertThatThrownBy(() -> part.u8("one more"))
                .isInstanceOf(MalformedException.class)
                .hasMessage("one more claims 1 bytes, but 0 remain");
        assertThat(reader.remaining()).isEqualTo(1);
    }

    private static ServerAnswer read(byte[] bytes) throws IOException {
        return new AnswerReader(new ByteArrayInputStream(bytes), false).read();
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }
}
