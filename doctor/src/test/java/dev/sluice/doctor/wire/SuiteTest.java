package dev.sluice.doctor.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.ForeignProgram;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that names and numbers match OpenSSL's. */
class SuiteTest {
    @Test
    void matchesOpensslsNames() {
        Map<Integer, String> theirs = new HashMap<>();
        ForeignProgram.required("openssl", "openssl")
                .command("ciphers", "-V", "-stdname", "ALL:eNULL:@SECLEVEL=0")
                .run()
                .expectSuccess()
                .output()
                .lines()
                .forEach(line -> read(line, theirs));

        assertThat(theirs).hasSizeGreaterThan(60);
        Arrays.stream(Suite.values())
                .filter(suite -> theirs.containsKey(suite.number()))
                .forEach(suite -> assertThat(suite.name()).isEqualTo(theirs.get(suite.number())));
        assertThat(Arrays.stream(Suite.values()).filter(suite -> theirs.containsKey(suite.number())))
                .hasSizeGreaterThan(50);
    }

    /** Parses {@code 0xC0,0x2C - TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 - ECDHE-ECDSA-AES256-GCM-SHA384 …}. */
    private static void read(String line, Map<Integer, String> into) {
        String[] words = line.strip().split("\\s+", -1);
        int comma = words[0].indexOf(',');
        if (comma > 0 && words.length > 2) {
            int high = Integer.decode(words[0].substring(0, comma));
            int low = Integer.decode(words[0].substring(comma + 1));
            into.put(high << 8 | low, words[2]);
        }
    }

    @Test
    void hasNoDuplicateNumber() {
        assertThat(Arrays.stream(Suite.values()).map(Suite::number)).doesNotHaveDuplicates();
    }
}
