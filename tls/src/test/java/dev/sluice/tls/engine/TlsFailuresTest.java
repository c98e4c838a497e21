package dev.sluice.tls.engine;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.openssl.OpenSslError;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.Fault;
import dev.sluice.tls.failure.TlsAlert;
import dev.sluice.tls.failure.TlsFailure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the meaning of OpenSSL's error queue, with queues as libssl leaves them. */
final class TlsFailuresTest {
    private static final OpenSslError WRONG_TAG = error(ERR_LIB_ASN1, 168, "wrong tag");

    @Test
    void recognizesAlerts() {
        TlsFailure failure = asServer(error(ERR_LIB_SSL, SSL_AD_REASON_OFFSET + SSL_AD_UNKNOWN_CA, "tlsv1 alert"));
        assertThat(failure.reason()).isEqualTo(EndReason.ALERT_RECEIVED_UNKNOWN_CA);
        assertThat(failure.alert()).isEqualTo(SSL_AD_UNKNOWN_CA);
        assertThat(failure.fault()).isEqualTo(Fault.PEER_INCOMPATIBLE);
    }

    /**
     * Maps unknown alerts to one name: the peer chooses the number, and a name for each would be a metric series each.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 99, 200, 255})
    void usesOneNameForUnknownAlerts(int alert) {
        TlsFailure failure = asServer(error(ERR_LIB_SSL, SSL_AD_REASON_OFFSET + alert, "reason"));
        assertThat(failure.reason()).isEqualTo(EndReason.ALERT_RECEIVED_UNKNOWN);
        assertThat(failure.alert()).isEqualTo(alert);
        assertThat(failure.message()).contains("(" + alert + ")");
        assertThat(TlsFailures.alertReceived(alert)).isEqualTo(failure);
    }

    @Test
    void rejectsAReasonBeyondTheAlerts() {
        TlsFailure failure = asServer(error(ERR_LIB_SSL, SSL_AD_REASON_OFFSET + 256, "some other"));
        assertThat(failure.reason()).isEqualTo(EndReason.PROTOCOL_VIOLATION);
        assertThat(failure.alert()).isEqualTo(TlsAlert.NONE);
    }

    @Test
    void blamesThePeerForAMalformedCertificate() {
        OpenSslError asn1 = error(ERR_LIB_SSL, ERR_R_ASN1_LIB, "ASN1 lib");
        TlsFailure server = asServer(WRONG_TAG, error(ERR_LIB_ASN1, ERR_R_NESTED_ASN1_ERROR, "nested"), asn1);
        assertThat(server.reason()).isEqualTo(EndReason.MALFORMED_CERTIFICATE);
        assertThat(server.fault()).isEqualTo(Fault.PEER_MISBEHAVED);
        assertThat(server.alert()).isEqualTo(SSL_AD_DECODE_ERROR);

        TlsFailure client = TlsFailures.of(List.of(WRONG_TAG, asn1), 0, "TLSv1.2", false);
        assertThat(client.reason()).isEqualTo(EndReason.MALFORMED_CERTIFICATE);
        assertThat(client.alert()).isEqualTo(SSL_AD_BAD_CERTIFICATE);
    }

    /** Blames the peer for an invalid key share. OpenSSL 3.0 before its updates has no libssl reason for it. */
    @ParameterizedTest
    @ValueSource(ints = {ERR_R_EC_LIB, ERR_R_EVP_LIB, ERR_R_INTERNAL_ERROR})
    void blamesThePeerForAnInvalidKeyShare(int reason) {
        OpenSslError point = error(ERR_LIB_EC, EC_R_POINT_IS_NOT_ON_CURVE, "point is not on curve");
        OpenSslError derivation = error(ERR_LIB_PROV, PROV_R_FAILED_DURING_DERIVATION, "failed during derivation");
        for (OpenSslError root : List.of(point, derivation)) {
            TlsFailure failure = asServer(root, error(ERR_LIB_SSL, reason, "lib"));
            assertThat(failure.reason()).isEqualTo(EndReason.BAD_KEY_SHARE);
            assertThat(failure.fault()).isEqualTo(Fault.PEER_MISBEHAVED);
            assertThat(failure.alert()).isEqualTo(SSL_AD_INTERNAL_ERROR);
        }
    }

    @Test
    void usesOneNameForAnInvalidKeyShare() {
        for (int reason : new int[] {SSL_R_BAD_ECPOINT, SSL_R_BAD_KEY_SHARE}) {
            TlsFailure failure = asServer(error(ERR_LIB_SSL, reason, "bad"));
            assertThat(failure.reason()).isEqualTo(EndReason.BAD_KEY_SHARE);
            assertThat(failure.alert()).isEqualTo(SSL_AD_ILLEGAL_PARAMETER);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {ERR_R_INTERNAL_ERROR, ERR_R_EVP_LIB, ERR_R_X509_LIB, ERR_R_EC_LIB, ERR_R_FETCH_FAILED})
    void doesNotBlameThePeerForFailuresOfLibssl(int reason) {
        TlsFailure alone = asServer(error(ERR_LIB_SSL, reason, "internal error"));
        TlsFailure rooted = asServer(error(ERR_LIB_EVP, 114, "decode error"), error(ERR_LIB_SSL, reason, "lib"));
        TlsFailure ownKey = asServer(error(ERR_LIB_EC, 125, "missing private key"), error(ERR_LIB_SSL, reason, "lib"));
        for (TlsFailure failure : List.of(alone, rooted, ownKey)) {
            assertThat(failure.reason()).isEqualTo(EndReason.OPENSSL_ERROR);
            assertThat(failure.fault()).isEqualTo(Fault.OURS);
            assertThat(failure.alert()).isEqualTo(SSL_AD_INTERNAL_ERROR);
        }
        assertThat(ownKey.message()).contains("missing private key");
    }

    @Test
    void blamesTheEnvironmentForMissingMemory() {
        OpenSslError memory = error(ERR_LIB_CRYPTO, ERR_R_MALLOC_FAILURE, "malloc failure");
        TlsFailure asRoot = asServer(memory, error(ERR_LIB_SSL, ERR_R_ASN1_LIB, "ASN1 lib"));
        TlsFailure ofLibssl = asServer(error(ERR_LIB_SSL, ERR_R_MALLOC_FAILURE, "malloc failure"));
        for (TlsFailure failure : List.of(asRoot, ofLibssl)) {
            assertThat(failure.reason()).isEqualTo(EndReason.OUT_OF_MEMORY);
            assertThat(failure.fault()).isEqualTo(Fault.ENVIRONMENT);
        }
    }

    @Test
    void blamesUsForAQueueWithoutLibssl() {
        assertThat(asServer().reason()).isEqualTo(EndReason.OPENSSL_ERROR);
        assertThat(asServer(WRONG_TAG).fault()).isEqualTo(Fault.OURS);
    }

    private static TlsFailure asServer(OpenSslError... errors) {
        return TlsFailures.of(List.of(errors), 0, "TLSv1.3", true);
    }

    private static OpenSslError error(int library, int reason, String text) {
        return new OpenSslError(((long) library << ERR_LIB_OFFSET) | reason, "error:0:a library::" + text, "");
    }
}
