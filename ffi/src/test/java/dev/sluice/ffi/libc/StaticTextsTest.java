package dev.sluice.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class StaticTextsTest {
    /** Never freed, as OpenSSL's constants: another text at the same address would be a fault of the test. */
    private static final Arena CONSTANT = Arena.global();

    /** Checks that more texts than slots are each returned for their own address, in any order. */
    @Test
    void returnsTheTextOfEachAddress() {
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
    void allocatesNothingTheSecondTime() {
        long address = CONSTANT.allocateFrom("TLSv1.3").address();
        assertThat(StaticTexts.at(address)).isSameAs(StaticTexts.at(address));
    }

    @Test
    void returnsTheEmptyStringForNull() {
        assertThat(StaticTexts.at(0)).isEmpty();
    }
}
