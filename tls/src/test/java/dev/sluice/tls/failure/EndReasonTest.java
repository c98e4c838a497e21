package dev.sluice.tls.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndReasonTest {
    @ParameterizedTest
    @EnumSource
    void eachAlertHasAReasonOfItsOwn(TlsAlert alert) {
        EndReason reason = EndReason.alertReceived(alert.number());

        assertThat(reason.alert()).isEqualTo(alert);
        assertThat(reason.isAlertReceived()).isTrue();
        assertThat(reason.label()).isEqualTo("alert_received_" + alert.label());
        assertThat(TlsAlert.label(alert.number())).isEqualTo(alert.label());
    }

    @ParameterizedTest
    @ValueSource(ints = {TlsAlert.NONE, 1, 99, 255})
    void alertsWithoutANameHaveOneReason(int number) {
        assertThat(EndReason.alertReceived(number)).isEqualTo(EndReason.ALERT_RECEIVED_UNKNOWN);
        assertThat(TlsAlert.label(number)).isEqualTo(number == TlsAlert.NONE ? "" : "alert_" + number);
    }

    @Test
    void describesEventCauseAndRemedy() {
        assertThat(EndReason.HTTP_REQUEST.describe("OpenSSL: http request"))
                .isEqualTo("the client speaks plain HTTP to a TLS port (OpenSSL: http request); use https://");
        assertThat(EndReason.IDLE_TIMEOUT.describe("5m"))
                .isEqualTo("no byte in either direction within limits.idle-timeout (5m)");
        assertThat(EndReason.CONNECTION_RESET.describe()).isEqualTo("the peer reset the connection");
    }
}
