package dev.sluice.gateway.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ForeignTextTest {
    @Test
    void isOneLine() {
        assertThat(ForeignText.line(" a\r\n\tb\u2028\u202ec\u0007 ")).isEqualTo("a b c");
    }

    @Test
    void keepsAWholeLineOfAnyLength() {
        assertThat(ForeignText.line("x".repeat(10_000))).hasSize(10_000);
    }

    @Test
    void cutsNoCharacterInHalf() {
        String begin = "x".repeat(ForeignText.CHARS_MAX - 1);

        assertThat(ForeignText.cut(begin + "y")).isEqualTo(begin + "y");
        assertThat(ForeignText.cut(begin + "yz")).isEqualTo(begin + "y…");
        assertThat(ForeignText.cut(begin + "🔑")).isEqualTo(begin + "…");
    }
}
