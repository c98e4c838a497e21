package dev.sluice.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.admission.Admission.Verdict;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private static final InetAddress ONE = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress OTHER = InetAddress.ofLiteral("192.0.2.2");

    @Test
    void admitsUpToTheLimitAndAgainWhenOneLeft() {
        Admission admission = new Admission(2, 0);

        assertThat(admission.enter(ONE)).isEqualTo(Verdict.ADMITTED);
        assertThat(admission.enter(ONE)).isEqualTo(Verdict.ADMITTED);
        assertThat(admission.enter(OTHER)).isEqualTo(Verdict.TOO_MANY);
        assertThat(admission.enter(OTHER)).isEqualTo(Verdict.TOO_MANY);
        admission.left(ONE);
        assertThat(admission.enter(OTHER)).isEqualTo(Verdict.ADMITTED);
    }

    @Test
    void countsEachAddressByItself() {
        Admission admission = new Admission(10, 1);

        assertThat(admission.enter(ONE)).isEqualTo(Verdict.ADMITTED);
        assertThat(admission.enter(ONE)).isEqualTo(Verdict.TOO_MANY_OF_ADDRESS);
        assertThat(admission.enter(OTHER)).isEqualTo(Verdict.ADMITTED);
        admission.left(ONE);
        assertThat(admission.enter(ONE)).isEqualTo(Verdict.ADMITTED);
    }

    @Test
    void countsNoRefusedConnection() {
        Admission admission = new Admission(2, 1);
        admission.enter(ONE);
        for (int i = 0; i < 10; i++) {
            assertThat(admission.enter(ONE)).isEqualTo(Verdict.TOO_MANY_OF_ADDRESS);
        }

        assertThat(admission.enter(OTHER)).isEqualTo(Verdict.ADMITTED);
    }
}
