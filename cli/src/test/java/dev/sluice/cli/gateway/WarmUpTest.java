package dev.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class WarmUpTest {
    @Test
    void servesItselfAndEnds() {
        assertThatCode(WarmUp::run).doesNotThrowAnyException();
    }
}
