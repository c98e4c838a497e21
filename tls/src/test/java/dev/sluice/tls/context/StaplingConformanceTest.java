package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.tls.JdkPeer;
import dev.sluice.tls.Wire;
import dev.sluice.tls.certificate.CertificateSummary;
import dev.sluice.tls.certificate.Fingerprint;
import dev.sluice.tls.certificate.StapleSlot;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.OurPeer;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of stapling as seen by the JDK, which requests responses by default. */
@ParameterizedClass
@EnumSource(EngineKind.class)
class StaplingConformanceTest extends EngineConformance {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant END = START.plusSeconds(3600);
    private static final byte[] RESPONSE = response(1);

    private Instant now = START;
    private final StapleSlot slot = new StapleSlot(() -> now);

    StaplingConformanceTest(EngineKind kind) {
        super(kind);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void staplesTheCurrentResponse(ProtocolVersion version) {
        TlsContext context = closing(stapling(CERTIFICATES.server(), slot).build());
        assertThat(stapled(context, "localhost", version)).isEmpty();

        slot.put(RESPONSE, END);
        assertThat(stapled(context, "localhost", version)).containsExactly(RESPONSE);

        byte[] other = response(2);
        slot.put(other, END);
        assertThat(stapled(context, "localhost", version)).containsExactly(other);

        slot.clear();
        assertThat(stapled(context, "localhost", version)).isEmpty();
        assertThat(slot.given()).isEqualTo(2);
    }

    @Test
    void staplesNothingAfterTheExpiry() {
        TlsContext context = closing(stapling(CERTIFICATES.server(), slot).build());
        slot.put(RESPONSE, END);

        now = END.minusMillis(1);
        assertThat(stapled(context, "localhost", ProtocolVersion.TLS_1_3)).containsExactly(RESPONSE);
        assertThat(slot.until()).isEqualTo(END);
        now = END;
        assertThat(stapled(context, "localhost", ProtocolVersion.TLS_1_3)).isEmpty();
        assertThat(slot.until()).isNull();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void staplesEachCertificatesOwnResponse(ProtocolVersion version) {
        TlsContext one = closing(stapling(host("one"), slot).build());
        StapleSlot otherSlot = new StapleSlot(() -> now);
        TlsContext two = closing(stapling(host("two"), otherSlot).build());
        TlsContext none = closing(serverWith(host("none")).build());
        ServerNameSelector selector = closing(ServerNameSelector.builder()
                .add("one.staples.example", one)
                .add("two.staples.example", two)
                .fallback(none)
                .build());
        slot.put(response(1), END);
        otherSlot.put(response(2), END);

        assertThat(stapled(selector, "one.staples.example", version)).containsExactly(response(1));
        assertThat(stapled(selector, "two.staples.example", version)).containsExactly(response(2));
        assertThat(stapled(selector, "none.staples.example", version)).isEmpty();
    }

    private static Credential host(String name) {
        return CERTIFICATES.issue(CertificateRequest.named("staples-" + name).forHosts(name + ".staples.example"));
    }

    /** Checks two certificates in one context: the response is that of the certificate which the client can verify. */
    @Test
    void staplesSeparatelyForEcdsaAndRsa() {
        StapleSlot rsa = new StapleSlot(() -> now);
        List<String> seen = new ArrayList<>();
        TlsContext context = closing(serverWith(CERTIFICATES.server())
                .certificate(
                        CERTIFICATES.serverRsa().chainFile(),
                        CERTIFICATES.serverRsa().keyFile())
                .staples(sha256 -> {
                    seen.add(sha256);
                    return sha256.equals(fingerprint(CERTIFICATES.serverRsa())) ? rsa : slot;
                })
                .build());
        slot.put(response(1), END);
        rsa.put(response(2), END);

        assertThat(stapled(context, "localhost", ProtocolVersion.TLS_1_2, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"))
                .containsExactly(response(1));
        assertThat(stapled(context, "localhost", ProtocolVersion.TLS_1_2, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"))
                .containsExactly(response(2));
        assertThat(context.certificates())
                .extracting(CertificateSummary::sha256)
                .containsExactlyInAnyOrderElementsOf(seen);
    }

    private static String fingerprint(Credential credential) {
        try {
            byte[] der = credential.certificate().getEncoded();
            return Fingerprint.text(MessageDigest.getInstance("SHA-256").digest(der));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** Checks a certificate and a response that together exceed one of an engine's rings. */
    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void deliversTheLongestResponse(ProtocolVersion version) {
        TlsContext context =
                closing(stapling(CERTIFICATES.serverWithIntermediate(), slot).build());
        byte[] longest = longestResponse();
        slot.put(longest, END);

        assertThat(stapled(context, "localhost", version)).containsExactly(longest);
    }

    /** An OCSPResponse with as many bytes of a response as fit; OpenSSL 4 sends only what it can parse. */
    private static byte[] longestResponse() {
        int size = StapleSlot.MAX_BYTES;
        return ByteBuffer.allocate(size)
                .put(HexFormat.of().parseHex("3082")) // OCSPResponse
                .putShort((short) (size - 4))
                .put(HexFormat.of().parseHex("0A0103A082")) // tryLater, whose responseBytes no client parses
                .putShort((short) (size - 11))
                .put(HexFormat.of().parseHex("3082"))
                .putShort((short) (size - 15))
                .put(HexFormat.of().parseHex("06092B06010505073001010482")) // id-pkix-ocsp-basic, an OCTET STRING
                .putShort((short) (size - 30))
                .array();
    }

    @Test
    void rejectsAnInvalidResponse() {
        assertThatThrownBy(() -> slot.put(new byte[0], END)).hasMessageContaining("length=0");
        assertThatThrownBy(() -> slot.put(new byte[StapleSlot.MAX_BYTES + 1], END))
                .hasMessageContaining("length=" + (StapleSlot.MAX_BYTES + 1));
    }

    /** Returns the shortest response that the JDK accepts: a SEQUENCE with a status other than successful. */
    private static byte[] response(int status) {
        return new byte[] {0x30, 3, 0x0A, 1, (byte) status};
    }

    private static ServerContextBuilder stapling(Credential credential, StapleSlot slot) {
        return serverWith(credential).staples(sha256 -> slot);
    }

    /** Returns the responses that the JDK finds for the presented certificates. */
    private List<byte[]> stapled(SharedContext context, String host, ProtocolVersion version, String... suites) {
        OurPeer server = server(context);
        JdkPeer client = closing(JdkPeer.client(CERTIFICATES.rootCertificate(), host, parameters -> {
            parameters.setServerNames(List.of(new SNIHostName(host)));
            parameters.setProtocols(new String[] {version == ProtocolVersion.TLS_1_2 ? "TLSv1.2" : "TLSv1.3"});
            if (suites.length > 0) {
                parameters.setCipherSuites(suites);
            }
        }));
        Wire.whole().handshake(client, server);
        assertThat(client.failure()).isEmpty();
        return ((ExtendedSSLSession) client.session())
                .getStatusResponses().stream()
                        .filter(response -> response.length > 0)
                        .toList();
    }
}
