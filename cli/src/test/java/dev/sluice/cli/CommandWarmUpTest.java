package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class CommandWarmUpTest {
    @Test
    void sendsToItselfAndEnds() {
        assertThatCode(CommandWarmUp::run).doesNotThrowAnyException();
    }
}
