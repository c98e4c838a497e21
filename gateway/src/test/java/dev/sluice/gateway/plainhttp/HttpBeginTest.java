package dev.sluice.gateway.plainhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.AllocatedBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpBeginTest {
    private static final byte[] HELLO = HexFormat.of().parseHex("16030102000100" + "01fc0303" + "00".repeat(32));
    private static final int LOOKS = 1_000;
    private static final int ROUNDS_MAX = 1_000;

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "G; PERHAPS",
                "GET; PERHAPS",
                "GET /; YES",
                "GETS; NO",
                "get /; NO",
                "P; PERHAPS",
                "POST *; YES",
                "PUT x; YES",
                "PROXY; NO",
                "CONNECT a:1; YES",
                "PRI * HTTP/2.0; NO",
                "SSH-2.0; NO",
                "DELET; PERHAPS"
            })
    void recognizesMethods(String bytes, HttpBegin begin) {
        HttpBegin found = at(bytes.getBytes(ISO_8859_1), memory -> HttpBegin.of(memory.address(), bytes.length()));
        assertThat(found).isEqualTo(begin);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\nA: b\n\n", "GET /\r\nA: b\r\n\n"})
    void findsTheEndOfAHead(String head) {
        assertThat(RequestBytes.headBytes((head + "body\n\n").getBytes(ISO_8859_1)))
                .isEqualTo(head.length());
        for (int length = 0; length < head.length(); length++) {
            assertThat(RequestBytes.headBytes(head.substring(0, length).getBytes(ISO_8859_1)))
                    .isEqualTo(RequestBytes.UNFINISHED);
        }
    }

    /** Once the JIT compiler has seen it. */
    @Test
    void looksAtAClientHelloWithoutAllocating() {
        long least = HttpBeginTest.<Long>at(HELLO, memory -> {
            long fewest = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS_MAX && fewest > 0; round++) {
                long before = AllocatedBytes.byThread(Thread.currentThread().threadId());
                int others = 0;
                for (int i = 0; i < LOOKS; i++) {
                    others += HttpBegin.of(memory.address(), HELLO.length) == HttpBegin.NO ? 1 : 0;
                }
                long allocated = AllocatedBytes.byThread(Thread.currentThread().threadId()) - before;
                assertThat(others).isEqualTo(LOOKS);
                fewest = Math.min(fewest, allocated / LOOKS);
            }
            return fewest;
        });
        assertThat(least).isZero();
    }

    private static <T> T at(byte[] bytes, Function<MemorySegment, T> look) {
        try (Arena arena = Arena.ofConfined()) {
            return look.apply(arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes));
        }
    }
}
