package dev.sluice.doctor.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the encoding: its structure here, its meaning with the JDK's server. */
class ClientHelloTest {
    private static final int ROOM = 32 * 1024;

    private final SecureRandom random = new SecureRandom();

    @ParameterizedTest
    @EnumSource(Version.class)
    void allLengthsAreConsistent(Version version) throws IOException {
        byte[] record = ClientHello.of(version, "example.com").toRecord(random);

        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(record))) {
            assertThat(in.readUnsignedByte()).isEqualTo(22);
            assertThat(in.readUnsignedShort()).isEqualTo(version == Version.SSL_3 ? 0x0300 : 0x0301);
            assertThat(in.readUnsignedShort()).isEqualTo(record.length - 5);
            assertThat(in.readUnsignedByte()).isEqualTo(1);
            assertThat(in.readUnsignedByte() << 16 | in.readUnsignedShort()).isEqualTo(record.length - 9);
            assertThat(in.readUnsignedShort()).isEqualTo(Math.min(version.number(), 0x0303));
            in.skipNBytes(32);
            in.skipNBytes(in.readUnsignedByte());
            int suites = in.readUnsignedShort();
            assertThat(suites % 2).isZero();
            in.skipNBytes(suites);
            assertThat(in.readUnsignedShort()).isEqualTo(0x0100); // one compression method: none
            if (version == Version.SSL_3) {
                assertThat(in.available()).isZero();
            } else {
                assertThat(in.readUnsignedShort()).isEqualTo(in.available());
            }
        }
    }

    @Test
    void successiveHellosDiffer() {
        ClientHello hello = ClientHello.of(Version.TLS_1_3, "example.com");

        assertThat(hello.toRecord(random)).isNotEqualTo(hello.toRecord(random));
    }

    @Test
    void putsTheNameIntoTheServerNameExtension() {
        byte[] record = ClientHello.of(Version.TLS_1_2, "example.com").toRecord(random);

        String hex = HexFormat.of().formatHex(record);
        // extension 0, 16 bytes, list of 14, host_name, 11 bytes
        assertThat(hex)
                .contains("00000010000e00000b"
                        + HexFormat.of().formatHex("example.com".getBytes(StandardCharsets.US_ASCII)));
    }

    /** Parses a hello with the JDK's server, which reports its missing certificate only after parsing it. */
    @Test
    void theJdkParsesAHelloOfTls12() throws GeneralSecurityException {
        String failure = talk(Version.TLS_1_2, ByteBuffer.allocate(ROOM));

        assertThat(failure).contains("no cipher suites in common");
    }

    /** Checks that the JDK's server requests another hello for a missing key share, as the audit expects. */
    @Test
    void theJdkRequestsAShareOfTls13() throws GeneralSecurityException, IOException {
        ByteBuffer out = ByteBuffer.allocate(ROOM);

        assertThat(talk(Version.TLS_1_3, out)).isEmpty();

        assertThat(new AnswerReader(new ByteArrayInputStream(out.array(), 0, out.position()), false).read())
                .isInstanceOfSatisfying(ServerAnswer.Chosen.class, chosen -> {
                    assertThat(chosen.hello().retry()).isTrue();
                    assertThat(chosen.hello().version()).isEqualTo(Version.TLS_1_3.number());
                    assertThat(Group.nameOf(chosen.group())).doesNotStartWith("0x");
                });
    }

    private String talk(Version version, ByteBuffer out) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        SSLEngine server = context.createSSLEngine();
        server.setUseClientMode(false);
        byte[] record = ClientHello.of(version, "example.com").toRecord(random);
        try {
            server.unwrap(ByteBuffer.wrap(record), ByteBuffer.allocate(ROOM));
            for (Runnable task = server.getDelegatedTask(); task != null; task = server.getDelegatedTask()) {
                task.run();
            }
            server.wrap(ByteBuffer.allocate(0), out);
            return "";
        } catch (SSLException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
