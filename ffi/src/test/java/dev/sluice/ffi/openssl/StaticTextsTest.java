package dev.sluice.ffi.openssl;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class StaticTextsTest {
    /** Never freed, as with OpenSSL's own: another text at the same address would be a fault of the test. */
    private static final Arena CONSTANT = Arena.global();

    /** So many that they share slots: each is told for its own address all the same, however often they take turns. */
    @Test
    void eachAddressHasItsOwnText() {
        long[] texts = new long[200];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = CONSTANT.allocateFrom("text " + i).address();
        }
        for (int turn = 0; turn < 2; turn++) {
            for (int i = 0; i < texts.length; i++) {
                assertThat(StaticTexts.at(texts[i])).isEqualTo("text " + i);
            }
        }
    }

    @Test
    void theSecondTimeNothingIsMade() {
        long address = CONSTANT.allocateFrom("TLSv1.3").address();
        assertThat(StaticTexts.at(address)).isSameAs(StaticTexts.at(address));
    }

    @Test
    void nothingIsEmpty() {
        assertThat(StaticTexts.at(0)).isEmpty();
    }
}
