package dev.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WarmUpTest {
    @Test
    void servesItselfAndEnds() {
        assertThatCode(WarmUp::run).doesNotThrowAnyException();
    }

    @Test
    void survivesFailedPagesButNotAllOfThem() {
        WarmUpLoad.Setbacks setbacks = new WarmUpLoad.Setbacks();
        IllegalStateException failure = new IllegalStateException("a page failed");

        for (int i = 0; i < WarmUpLoad.FAILURES_MAX; i++) {
            assertThatCode(() -> setbacks.bear(failure)).doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> setbacks.bear(failure)).isSameAs(failure);
    }
}
