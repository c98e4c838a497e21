package dev.sluice.gateway.earlydata;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SafeRequestTest {
    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE"})
    void aSafeRequestIsMarkedBehindItsFirstLine(String method) {
        assertThat(marked(method + " /a?b=%20 HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n"))
                .isEqualTo(method + " /a?b=%20 HTTP/1.1\r\nEarly-Data: 1\r\nHost: x\r\nAccept: */*\r\n\r\n");
        assertThat(marked(method + " / HTTP/1.0\r\n\r\n")).isEqualTo(method + " / HTTP/1.0\r\nEarly-Data: 1\r\n\r\n");
    }

    /** RFC 8470 section 5.1: it must not be taken away, whatever its value, which means 1. */
    @ParameterizedTest
    @ValueSource(strings = {"Early-Data: 1", "early-data:1", "EARLY-DATA: 0", "Early-Data: 1\r\nEarly-Data: 1"})
    void whatIsMarkedAlreadyStaysAsItIs(String field) {
        String head = "GET / HTTP/1.1\r\nHost: x\r\n" + field + "\r\n\r\n";

        assertThat(marked(head)).isEqualTo(head);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nHost: x",
                "PUT / HTTP/1.1\r\nHost: x",
                "DELETE /a HTTP/1.1\r\nHost: x",
                "PATCH / HTTP/1.1\r\nHost: x",
                "CONNECT a:443 HTTP/1.1\r\nHost: x",
                "get / HTTP/1.1\r\nHost: x",
                "GETX / HTTP/1.1\r\nHost: x",
                "PRI * HTTP/2.0",
                "GET / HTTP/1.2\r\nHost: x",
                "GET / HTTP/1.1 \r\nHost: x",
                "GET  / HTTP/1.1\r\nHost: x",
                "GET /a b HTTP/1.1\r\nHost: x",
                "GET / ",
                "",
                "\r\nGET / HTTP/1.1",
                "GET / HTTP/1.1\r\nContent-Length: 3",
                "GET / HTTP/1.1\r\ncontent-length: 0",
                "GET / HTTP/1.1\r\nTransfer-Encoding: chunked",
                "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade",
                "GET / HTTP/1.1\r\nExpect: 100-continue",
                "GET / HTTP/1.1\r\nHTTP2-Settings: AAMAAABk",
                "GET / HTTP/1.1\r\nHost: x\nContent-Length: 3",
                "GET / HTTP/1.1\nHost: x",
                "GET / HTTP/1.1\r\nHost: x\rContent-Length: 3",
                "GET / HTTP/1.1\r\nHost: x\r\n folded",
                "GET / HTTP/1.1\r\nHost : x",
                "GET / HTTP/1.1\r\n: x",
                "GET / HTTP/1.1\r\nHost",
                "GET / HTTP/1.1\r\nHost: \0",
            })
    void everythingElseWaits(String head) {
        assertThat(SafeRequest.of(head + "\r\n\r\n")).isNull();
    }

    private static String marked(String head) {
        return Objects.requireNonNull(SafeRequest.of(head)).marked();
    }

    @Test
    void theEndOfAHeadIsFoundWhereverThePiecesEnd() {
        byte[] bytes = "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET".getBytes(StandardCharsets.US_ASCII);
        try (HeldBytes held = new HeldBytes(100)) {
            int searched = 0;
            int length = -1;
            for (int i = 0; i < bytes.length && length < 0; i++) {
                held.add(bytes, i, 1);
                length = held.headLength(searched);
                searched = Math.max(0, held.length() - SafeRequest.END_BYTES + 1);
            }
            assertThat(length).isEqualTo(bytes.length - 3);
            assertThat(held.text(length)).endsWith("x\r\n\r\n");
            held.consume(length);
            assertThat(held.length()).isZero();
        }
    }
}
