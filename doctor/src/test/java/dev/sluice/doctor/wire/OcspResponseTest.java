package dev.sluice.doctor.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests that anything other than an OCSP response is rejected. Interop tests real responses with those of OpenSSL. */
class OcspResponseTest {
    /** A successful response that ends after the beginning of responseBytes. */
    private static final byte[] BEGIN = HexFormat.of().parseHex("30820100" + "0a0100" + "a0820050" + "30820040");

    @Test
    void reportsAnErrorOfTheResponder() throws MalformedException {
        OcspResponse response = OcspResponse.parse(HexFormat.of().parseHex("30030a0106"));

        assertThat(response.isGood()).isFalse();
        assertThat(response.status()).isEqualTo("the responder's error 6");
    }

    @Test
    void rejectsTruncatedResponses() {
        for (int length = 0; length <= BEGIN.length; length++) {
            byte[] cut = Arrays.copyOf(BEGIN, length);
            assertThatThrownBy(() -> OcspResponse.parse(cut)).isInstanceOf(MalformedException.class);
        }
    }

    @Test
    void rejectsGarbageWithoutOtherExceptions() {
        Random random = new Random(7);
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = new byte[random.nextInt(120)];
            random.nextBytes(bytes);
            try {
                assertThat(OcspResponse.parse(bytes)).isNotNull();
            } catch (MalformedException expected) {
                assertThat(expected).hasMessageNotContaining("null");
            }
        }
    }
}
