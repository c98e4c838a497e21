package dev.sluice.tls.engine;

import static dev.sluice.tls.engine.CraftedHello.shares;
import static dev.sluice.tls.engine.CraftedHello.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.Bytes;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.failure.TlsAlert;
import dev.sluice.tls.lean.FallbackReason;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rules of ClientHellos, one by one, each under the section that states it: what the lean handshake answers, for
 * which counted reason it leaves a hello to libssl, and the alert in which a malformed one ends. libssl on its own must
 * come to the same outcome ({@link HelloOracle}).
 */
final class LeanHelloRulesTest {
    private static final @Nullable FallbackReason LEAN = null;
    private static final @Nullable TlsAlert ANSWERED = null;

    private final Map<String, Ledger.Balance> before = Ledger.process().balances();
    private final HelloOracle oracle = new HelloOracle();

    /**
     * One rule.
     *
     * @param section where it is stated
     * @param given what is sent
     * @param reason for which libssl has to answer; null where the lean handshake does
     * @param alert that the client gets; null where it gets a ServerHello
     */
    @SuppressWarnings("ArrayRecordComponent") // of a test
    record Rule(
            String section,
            String given,
            byte[] hello,
            @Nullable FallbackReason reason,
            @Nullable TlsAlert alert) {
        @Override
        public String toString() {
            return section + ": " + given;
        }
    }

    @AfterEach
    void everythingIsGivenBack() {
        oracle.close();
        assertThat(Ledger.process().leaksSince(before)).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"versions", "fields", "extensions", "keyShares", "negotiation", "records"})
    void holds(Rule rule) {
        HelloOracle.Reply reply = oracle.reply(rule.hello());
        assertThat(reply.reason()).as("reason of the fallback").isEqualTo(rule.reason());
        assertThat(reply.alert()).as("alert").isEqualTo(rule.alert());
    }

    static Stream<Rule> versions() {
        return Stream.of(
                rule(
                        "RFC 8446 4.2.1",
                        "TLS 1.3 among other versions",
                        LEAN,
                        ANSWERED,
                        hello -> hello.with(CraftedHello.SUPPORTED_VERSIONS, "060a0a03040303")),
                rule(
                        "RFC 8446 4.2.1",
                        "no version that the server knows",
                        FallbackReason.VERSION,
                        TlsAlert.PROTOCOL_VERSION,
                        hello -> hello.with(CraftedHello.SUPPORTED_VERSIONS, "020a0a")),
                rule(
                        "RFC 8446 4.2.1",
                        "an odd size of supported_versions, which libssl reads as none",
                        FallbackReason.FORM,
                        TlsAlert.PROTOCOL_VERSION,
                        hello -> hello.with(CraftedHello.SUPPORTED_VERSIONS, "03030403")),
                rule(
                        "RFC 8446 4.1.2",
                        "TLS 1.3 in legacy_version alone, and no suite of TLS 1.2",
                        FallbackReason.FORM,
                        TlsAlert.HANDSHAKE_FAILURE,
                        hello -> hello.legacyVersion(0x0304).without(CraftedHello.SUPPORTED_VERSIONS)));
    }

    static Stream<Rule> fields() {
        return Stream.of(
                rule("RFC 8446 4.1.2", "no session id", LEAN, ANSWERED, hello -> hello.sessionId(new byte[0])),
                rule(
                        "RFC 8446 4.1.2",
                        "a session id of 33 bytes",
                        FallbackReason.FORM,
                        TlsAlert.DECODE_ERROR,
                        hello -> hello.sessionId(new byte[33])),
                rule(
                        "RFC 8446 4.1.2",
                        "an odd size of cipher_suites",
                        FallbackReason.FORM,
                        TlsAlert.DECODE_ERROR,
                        hello -> hello.suites("130113")),
                rule(
                        "RFC 8446 4.1.2",
                        "no cipher suite, a vector below its minimum",
                        FallbackReason.FORM,
                        newer(TlsAlert.DECODE_ERROR),
                        hello -> hello.suites("")),
                rule(
                        "RFC 8446 4.1.2",
                        "a compression method",
                        FallbackReason.FORM,
                        TlsAlert.ILLEGAL_PARAMETER,
                        hello -> hello.compression("0001")),
                rule(
                        "RFC 8446 4.1.2",
                        "no compression method",
                        FallbackReason.FORM,
                        TlsAlert.DECODE_ERROR,
                        hello -> hello.compression("")),
                rule(
                        "RFC 8446 4",
                        "bytes behind the extensions",
                        FallbackReason.FORM,
                        TlsAlert.DECODE_ERROR,
                        hello -> hello.trailer("00")));
    }

    static Stream<Rule> extensions() {
        return Stream.of(
                rule("RFC 8446 4.2", "an unknown extension", LEAN, ANSWERED, hello -> hello.append(0xFE0D, "00")),
                rule(
                        "RFC 8701 3",
                        "GREASE everywhere",
                        LEAN,
                        ANSWERED,
                        hello -> hello.append(0x5A5A, "")
                                .suites("2a2a1301")
                                .with(CraftedHello.SUPPORTED_VERSIONS, "043a3a0304")
                                .with(CraftedHello.SUPPORTED_GROUPS, "00044a4a001d")
                                .with(CraftedHello.SIGNATURE_ALGORITHMS, "00047a7a0403")
                                .with(CraftedHello.PSK_KEY_EXCHANGE_MODES, "020b01")),
                rule(
                        "RFC 8446 4.2",
                        "an extension twice",
                        FallbackReason.FORM,
                        TlsAlert.ILLEGAL_PARAMETER,
                        hello -> hello.append(CraftedHello.SUPPORTED_VERSIONS, "020304")),
                rule(
                        "RFC 8446 4.2",
                        "an extension beyond the message",
                        FallbackReason.FORM,
                        TlsAlert.DECODE_ERROR,
                        hello -> hello.trailer("00")),
                rule(
                        "RFC 8446 9.2",
                        "no signature_algorithms",
                        FallbackReason.FORM,
                        TlsAlert.MISSING_EXTENSION,
                        hello -> hello.without(CraftedHello.SIGNATURE_ALGORITHMS)),
                rule(
                        "RFC 8446 9.2",
                        "key_share without supported_groups",
                        FallbackReason.FORM,
                        TlsAlert.MISSING_EXTENSION,
                        hello -> hello.without(CraftedHello.SUPPORTED_GROUPS)),
                rule(
                        "RFC 8446 9.2",
                        "supported_groups without key_share",
                        FallbackReason.FORM,
                        TlsAlert.MISSING_EXTENSION,
                        hello -> hello.without(CraftedHello.KEY_SHARE)),
                rule(
                        "RFC 8446 4.2.10",
                        "early data without a ticket",
                        FallbackReason.EXTENSION,
                        ANSWERED,
                        hello -> hello.append(CraftedHello.EARLY_DATA, "")),
                rule(
                        "RFC 6066 3",
                        "an empty server_name list",
                        FallbackReason.FORM,
                        TlsAlert.DECODE_ERROR,
                        hello -> hello.append(CraftedHello.SERVER_NAME, "0000")),
                rule(
                        "RFC 7301 3.1",
                        "an empty protocol name",
                        FallbackReason.FORM,
                        TlsAlert.DECODE_ERROR,
                        hello -> hello.append(CraftedHello.ALPN, "000100")),
                rule(
                        "RFC 7301 3.2",
                        "no protocol in common",
                        FallbackReason.ALPN,
                        TlsAlert.NO_APPLICATION_PROTOCOL,
                        hello -> hello.append(CraftedHello.ALPN, "00020178")),
                rule(
                        "RFC 6066 8",
                        "a certificate status request cut off",
                        FallbackReason.FORM,
                        TlsAlert.DECODE_ERROR,
                        hello -> hello.append(CraftedHello.STATUS_REQUEST, "0100")));
    }

    static Stream<Rule> keyShares() {
        return Stream.of(
                rule(
                        "RFC 8446 4.2.8",
                        "a share for a group that is not in supported_groups",
                        FallbackReason.KEY_SHARE,
                        TlsAlert.ILLEGAL_PARAMETER,
                        hello -> hello.with(CraftedHello.SUPPORTED_GROUPS, "00020017")),
                rule(
                        "RFC 8446 4.2.8",
                        "no share: asked for one by a HelloRetryRequest",
                        FallbackReason.KEY_SHARE,
                        ANSWERED,
                        hello -> hello.with(CraftedHello.KEY_SHARE, "0000")),
                rule(
                        "RFC 8446 4.2.8",
                        "a share of no bytes",
                        FallbackReason.FORM,
                        TlsAlert.DECODE_ERROR,
                        hello -> hello.with(CraftedHello.KEY_SHARE, shares(CraftedHello.X25519, new byte[0]))),
                rule(
                        "RFC 8446 4.2.8.2",
                        "an X25519 share of 31 bytes",
                        FallbackReason.KEY_SHARE,
                        TlsAlert.ILLEGAL_PARAMETER,
                        hello -> hello.with(CraftedHello.KEY_SHARE, shares(CraftedHello.X25519, new byte[31]))),
                rule(
                        "RFC 8446 4.2.8.2",
                        "a P-256 share that is no point of the curve",
                        FallbackReason.BAD_KEY_SHARE,
                        TlsAlert.ILLEGAL_PARAMETER,
                        hello -> hello.with(CraftedHello.KEY_SHARE, shares(CraftedHello.SECP256R1, point(4, 64)))),
                rule(
                        "RFC 8446 4.2.8.2",
                        "a P-256 share of the hybrid form",
                        FallbackReason.BAD_KEY_SHARE,
                        TlsAlert.ILLEGAL_PARAMETER,
                        hello -> hello.with(CraftedHello.KEY_SHARE, shares(CraftedHello.SECP256R1, point(6, 64)))),
                rule(
                        "RFC 8446 7.4.2",
                        "an X25519 share with which the secret is zero",
                        FallbackReason.BAD_KEY_SHARE,
                        TlsAlert.ILLEGAL_PARAMETER,
                        hello -> hello.with(CraftedHello.KEY_SHARE, shares(CraftedHello.X25519, new byte[32]))));
    }

    static Stream<Rule> negotiation() {
        return Stream.of(
                rule(
                        "RFC 8446 4.1.1",
                        "no suite in common",
                        FallbackReason.SUITE,
                        TlsAlert.HANDSHAKE_FAILURE,
                        hello -> hello.suites("1304")),
                rule(
                        "RFC 8446 4.1.1",
                        "no group in common",
                        FallbackReason.KEY_SHARE,
                        TlsAlert.HANDSHAKE_FAILURE,
                        hello -> hello.with(CraftedHello.SUPPORTED_GROUPS, "00020100")
                                .with(CraftedHello.KEY_SHARE, "0000")),
                rule(
                        "RFC 8446 4.2.3",
                        "signatures of PKCS#1 v1.5 alone",
                        FallbackReason.SIGNATURE,
                        TlsAlert.HANDSHAKE_FAILURE,
                        hello -> hello.with(CraftedHello.SIGNATURE_ALGORITHMS, "000404010501")),
                rule(
                        "RFC 8446 4.4.3",
                        "no signature by SHA-1",
                        FallbackReason.SIGNATURE,
                        TlsAlert.HANDSHAKE_FAILURE,
                        hello -> hello.with(CraftedHello.SIGNATURE_ALGORITHMS, "00020203")));
    }

    static Stream<Rule> records() {
        byte[] message = new CraftedHello().message();
        byte[] finished = {20, 0, 0, 0};
        return Stream.of(
                new Rule(
                        "RFC 8446 5.1",
                        "a hello in two records",
                        new CraftedHello().records(40),
                        FallbackReason.FORM,
                        ANSWERED),
                new Rule(
                        "RFC 8446 5.1",
                        "empty handshake records",
                        Bytes.join(emptyRecords(40), CraftedHello.record(22, message)),
                        FallbackReason.FORM,
                        TlsAlert.UNEXPECTED_MESSAGE),
                new Rule(
                        "RFC 8446 5.1",
                        "a record of more than 2^14 bytes",
                        CraftedHello.record(22, Bytes.join(message, new byte[16_400])),
                        FallbackReason.FORM,
                        TlsAlert.RECORD_OVERFLOW),
                new Rule(
                        "RFC 8446 4",
                        "another message in place of the hello",
                        CraftedHello.record(22, finished),
                        FallbackReason.FORM,
                        TlsAlert.UNEXPECTED_MESSAGE),
                new Rule(
                        "RFC 8446 5",
                        "application data in place of the hello",
                        CraftedHello.record(23, message),
                        FallbackReason.FORM,
                        TlsAlert.UNEXPECTED_MESSAGE));
    }

    /** RFC 8446 sections 4.2.9 and 4.2.11: what holds of a session that is offered. */
    @Test
    void checksTheOfferOfASession() {
        try (TlsContext client = TlsContext.client()
                        .trust(TestCertificates.shared().rootFile())
                        .groups(List.of("X25519"))
                        .cipherSuites(List.of("TLS_AES_128_GCM_SHA256"))
                        .build();
                TlsSession session = oracle.session(client)) {
            byte[] hello = HelloOracle.hello(client, session);
            assertReply("4.2.11 as it is", hello, LEAN, ANSWERED);
            byte[] forged = hello.clone();
            forged[hello.length - 1] ^= 1;
            assertReply(
                    "4.2.11.2 a wrong binder", forged, FallbackReason.PRE_SHARED_KEY, newer(TlsAlert.DECRYPT_ERROR));
            byte[] changed = hello.clone();
            changed[5 + 4 + 2] ^= 1;
            assertReply(
                    "4.2.11.2 a binder of another hello",
                    changed,
                    FallbackReason.PRE_SHARED_KEY,
                    newer(TlsAlert.DECRYPT_ERROR));
            assertReply(
                    "4.2.9 no psk_key_exchange_modes",
                    CraftedHello.of(hello)
                            .without(CraftedHello.PSK_KEY_EXCHANGE_MODES)
                            .record(),
                    FallbackReason.PRE_SHARED_KEY,
                    TlsAlert.MISSING_EXTENSION);
            assertReply(
                    "4.2.9 without a key exchange alone: a full handshake",
                    CraftedHello.of(hello)
                            .with(CraftedHello.PSK_KEY_EXCHANGE_MODES, "0100")
                            .record(),
                    FallbackReason.PRE_SHARED_KEY,
                    ANSWERED);
            assertReply(
                    "4.2.11 not the last extension",
                    CraftedHello.of(hello).append(0xFE0D, "").record(),
                    FallbackReason.FORM,
                    TlsAlert.ILLEGAL_PARAMETER);
            assertReply(
                    "4.2.11 a suite with another hash: a full handshake",
                    CraftedHello.of(hello).suites("1302").record(),
                    FallbackReason.PRE_SHARED_KEY,
                    ANSWERED);
            String offer = HexFormat.of().formatHex(CraftedHello.of(hello).body(CraftedHello.PRE_SHARED_KEY));
            String identity = offer.substring(4, offer.length() - 2 * (2 + 1 + 32));
            String binder = offer.substring(offer.length() - 2 * (1 + 32));
            assertReply(
                    "4.2.11 more binders than identities: libssl checks the first one before it counts",
                    CraftedHello.of(hello)
                            .with(CraftedHello.PRE_SHARED_KEY, vector(identity) + vector(binder + binder))
                            .record(),
                    FallbackReason.FORM,
                    newer(TlsAlert.DECRYPT_ERROR));
            assertReply(
                    "4.2.11 a binder of 31 bytes",
                    CraftedHello.of(hello)
                            .with(CraftedHello.PRE_SHARED_KEY, vector(identity) + vector("1f" + binder.substring(4)))
                            .record(),
                    FallbackReason.FORM,
                    TlsAlert.DECODE_ERROR);
        }
    }

    private void assertReply(String given, byte[] hello, @Nullable FallbackReason reason, @Nullable TlsAlert alert) {
        HelloOracle.Reply reply = oracle.reply(hello);
        assertThat(reply.reason()).as("%s: reason of the fallback", given).isEqualTo(reason);
        assertThat(reply.alert()).as("%s: alert", given).isEqualTo(alert);
    }

    /** RFC 8446 section 4.1.3: the server echoes the session id. */
    @Test
    void echoesTheSessionId() {
        CraftedHello hello = new CraftedHello();
        byte[] answer = oracle.reply(hello.record()).sent();
        assertThat(answer).containsSequence(hello.sessionId());
        assertThat(answer[5]).as("ServerHello").isEqualTo((byte) 2);
    }

    /** RFC 8446 section 4.1.3: the last bytes of the random tell a client of TLS 1.3 that it was downgraded. */
    @Test
    void marksADowngrade() {
        byte[] answer = oracle.reply(new CraftedHello()
                        .suites("c02b")
                        .without(CraftedHello.SUPPORTED_VERSIONS)
                        .without(CraftedHello.KEY_SHARE)
                        .record())
                .sent();
        byte[] sentinel = {'D', 'O', 'W', 'N', 'G', 'R', 'D', 1};
        assertThat(answer).containsSequence(sentinel);
    }

    /** FIPS 203 section 7.2: an encapsulation key whose coefficients are not reduced is refused. */
    @Test
    void checksTheEncapsulationKey() {
        assumeThat(OpenSsl.require().isAtLeast(3, 5)).as("has ML-KEM").isTrue();
        byte[] share = new byte[1184 + 32];
        Arrays.fill(share, (byte) 0xFF);
        HelloOracle.Reply reply = oracle.reply(new CraftedHello()
                .with(CraftedHello.SUPPORTED_GROUPS, "000211ec")
                .with(CraftedHello.KEY_SHARE, shares(CraftedHello.X25519MLKEM768, share))
                .record());
        assertThat(reply.reason()).isEqualTo(FallbackReason.BAD_KEY_SHARE);
        assertThat(reply.alert()).isEqualTo(TlsAlert.ILLEGAL_PARAMETER);
    }

    /** Returns the alert that the RFC names; OpenSSL 3.0 sends illegal_parameter instead, 3.5 does not. */
    private static TlsAlert newer(TlsAlert alert) {
        return OpenSsl.require().isAtLeast(3, 5) ? alert : TlsAlert.ILLEGAL_PARAMETER;
    }

    private static byte[] emptyRecords(int count) {
        byte[] records = {};
        for (int i = 0; i < count; i++) {
            records = Bytes.join(records, CraftedHello.record(22, new byte[0]));
        }
        return records;
    }

    private static byte[] point(int form, int bytes) {
        byte[] point = Bytes.random(1 + bytes, 4);
        point[0] = (byte) form;
        return point;
    }

    private static Rule rule(
            String section,
            String given,
            @Nullable FallbackReason reason,
            @Nullable TlsAlert alert,
            UnaryOperator<CraftedHello> edit) {
        return new Rule(section, given, edit.apply(new CraftedHello()).record(), reason, alert);
    }
}
