package dev.sluice.gateway.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.Fault;
import org.junit.jupiter.api.Test;

class EndSideTest {
    @Test
    void labelsBeginWithTheSide() {
        assertThat(EndSide.GATEWAY.label(EndReason.NO_ROUTE)).isEqualTo("no_route");
        assertThat(EndSide.HANDSHAKE.label(EndReason.HTTP_REQUEST)).isEqualTo("handshake_http_request");
        assertThat(EndSide.CLIENT.label(EndReason.TRUNCATED)).isEqualTo("client_truncated");
        assertThat(EndSide.BACKEND.label(EndReason.CONNECTION_REFUSED)).isEqualTo("backend_connection_refused");
        assertThat(EndSide.BACKEND_HANDSHAKE.label(EndReason.WRONG_HOST)).isEqualTo("backend_handshake_wrong_host");
    }

    @Test
    void labelsNameTheHandshakeOnce() {
        assertThat(EndSide.GATEWAY.label(EndReason.HANDSHAKE_RATE)).isEqualTo("handshake_rate");
        assertThat(EndSide.HANDSHAKE.label(EndReason.HANDSHAKE_TIMEOUT)).isEqualTo("handshake_timeout");
        assertThat(EndSide.BACKEND_HANDSHAKE.label(EndReason.HANDSHAKE_TIMEOUT)).isEqualTo("backend_handshake_timeout");
    }

    @Test
    void labelsOfFailedHandshakesLeaveOutTheHandshake() {
        assertThat(EndSide.HANDSHAKE.labelInHandshake(EndReason.HANDSHAKE_TIMEOUT))
                .isEqualTo("timeout");
        assertThat(EndSide.HANDSHAKE.labelInHandshake(EndReason.NOT_TLS)).isEqualTo("not_tls");
        assertThat(EndSide.GATEWAY.labelInHandshake(EndReason.DRAIN_TIMEOUT)).isEqualTo("drain_timeout");
        assertThat(EndSide.BACKEND.labelInHandshake(EndReason.UNRESOLVED)).isEqualTo("backend_unresolved");
    }

    @Test
    void backendsAreTheClientsEnvironment() {
        assertThat(EndSide.CLIENT.fault(EndReason.CONNECTION_RESET)).isEqualTo(Fault.PEER_MISBEHAVED);
        assertThat(EndSide.BACKEND.fault(EndReason.CONNECTION_RESET)).isEqualTo(Fault.ENVIRONMENT);
        assertThat(EndSide.BACKEND_HANDSHAKE.fault(EndReason.WRONG_HOST)).isEqualTo(Fault.ENVIRONMENT);
        assertThat(EndSide.BACKEND.fault(EndReason.INTERNAL_ERROR)).isEqualTo(Fault.OURS);
    }
}
