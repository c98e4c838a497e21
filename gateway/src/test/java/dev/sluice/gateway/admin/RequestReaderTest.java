package dev.sluice.gateway.admin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestReaderTest {
    private static final String HOST = "Host: localhost\r\n";

    @Test
    void readsMethodPathAndHeaders() throws Exception {
        AdminRequest request = required("GET /metrics?a=b HTTP/1.1\r\n" + HOST + "accept:  text/plain \r\n\r\n");

        assertThat(request.method()).isEqualTo("GET");
        assertThat(request.path()).isEqualTo("/metrics");
        assertThat(request.header("HOST")).isEqualTo("localhost");
        assertThat(request.header("Accept")).isEqualTo("text/plain");
        assertThat(request.header("Origin")).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "/healthz, /healthz",
        "http://localhost:9900/healthz, /healthz",
        "http://localhost, /",
        "HTTP://localhost?x, /",
        "//healthz, //healthz",
        "/%68ealthz, /%68ealthz"
    })
    void takesThePathAsItIs(String target, String path) throws Exception {
        assertThat(required("GET " + target + " HTTP/1.1\r\n\r\n").path()).isEqualTo(path);
    }

    @Test
    void aClientThatEndsWithoutAByteHasNoRequest() throws Exception {
        assertThat(read("")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /healthz HTTP/1.1\r\nHost: loc",
                "GET /healthz HTTP/1.1\r\n" + HOST,
                "POST /reload HTTP/1.1\r\nContent-Length: 3\r\n\r\nab",
                "POST /reload HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
            })
    void aClientThatEndsInTheMiddleIsGone(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(EOFException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /reload HTTP/1.1\r\nContent-Length: 1024\r\n\r\n",
                "POST /reload HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n"
            })
    void aBodyIsReadToItsEndAndForgotten(String head) throws Exception {
        String text = "x".repeat(1024);
        String body =
                head.contains("Length") ? text : "3f0;name=value\r\n" + text.substring(16) + "\r\n0\r\nA: b\r\n\r\n";
        InputStream input = input(head + body + "next");

        assertThat(new RequestReader(input).read()).isNotNull();
        assertThat(new String(input.readAllBytes(), ISO_8859_1)).isEqualTo("next");
    }

    @ParameterizedTest
    @CsvSource({
        "413, Content-Length: 1025",
        "413, Content-Length: 99999999999",
        "400, Content-Length: -1",
        "400, Content-Length: +1",
        "400, 'Content-Length: 1\r\nContent-Length: 1'",
        "400, 'Content-Length: 1\r\nTransfer-Encoding: chunked'",
        "400, 'Host: a\r\nhost: b'",
        "400, ' folded: line'",
        "400, 'Host : localhost'",
        "400, no header",
        "400, ': no name'",
        "400, 'Host: a\rX: y'",
        "400, 'Host: a\0b'",
        "501, Transfer-Encoding: gzip"
    })
    void refusesHeadersThatCouldBeMeantInTwoWays(int status, String header) {
        assertThat(refused("POST /reload HTTP/1.1\r\n" + header + "\r\n\r\nx").status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "400, GET /",
        "400, GET  / HTTP/1.1",
        "400, GET healthz HTTP/1.1",
        "400, OPTIONS * HTTP/1.1",
        "400, 'G(T / HTTP/1.1'",
        "505, GET / HTTP/2.0",
        "505, GET / FTP"
    })
    void refusesWhatIsNoRequestLine(int status, String line) {
        assertThat(refused(line + "\r\n\r\n").status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"413, 401", "413, ffffffff", "400, x", "400, ''", "400, -1"})
    void refusesChunksThatAreTooLongOrNone(int status, String size) {
        assertThat(refused("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + size + "\r\n")
                        .status())
                .isEqualTo(status);
    }

    @Test
    void refusesAChunkThatDoesNotEndWhereItSays() {
        assertThat(refused("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void aHeadHasAnEnd() {
        String longHeader = "A: " + "x".repeat(RequestReader.HEAD_BYTES_MAX);
        assertThat(refused("GET / HTTP/1.1\r\n" + longHeader).status()).isEqualTo(431);
        assertThat(refused("x".repeat(RequestReader.HEAD_BYTES_MAX + 1)).status())
                .isEqualTo(431);
        assertThat(refused("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + "1\r\nx\r\n".repeat(9_000))
                        .status())
                .as("in chunks of one byte")
                .isIn(413, 431);
    }

    @Test
    void datesAreOfTwoDigits() {
        assertThat(AdminExchange.date(ZonedDateTime.of(2026, 6, 3, 4, 5, 6, 0, ZoneOffset.UTC)))
                .isEqualTo("Wed, 03 Jun 2026 04:05:06 GMT");
    }

    private static BadRequestException refused(String text) {
        return catchThrowableOfType(BadRequestException.class, () -> read(text));
    }

    private static AdminRequest required(String text) throws Exception {
        return Objects.requireNonNull(read(text), "no request");
    }

    private static @Nullable AdminRequest read(String text) throws Exception {
        return new RequestReader(input(text)).read();
    }

    private static InputStream input(String text) {
        return new ByteArrayInputStream(text.getBytes(ISO_8859_1));
    }
}
