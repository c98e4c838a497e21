package dev.sluice.gateway.admin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A request and its answer, of which each connection has one: then it is closed. For one thread. */
final class AdminExchange {
    private static final List<String> DAYS = List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");
    private static final List<String> MONTHS =
            List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
    private static final Map<Integer, String> PHRASES = Map.ofEntries(
            Map.entry(200, "OK"),
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "Not Found"),
            Map.entry(405, "Method Not Allowed"),
            Map.entry(409, "Conflict"),
            Map.entry(413, "Content Too Large"),
            Map.entry(431, "Request Header Fields Too Large"),
            Map.entry(500, "Internal Server Error"),
            Map.entry(501, "Not Implemented"),
            Map.entry(503, "Service Unavailable"),
            Map.entry(505, "HTTP Version Not Supported"));

    private final AdminRequest request;
    private final OutputStream output;
    private final Consumer<Duration> allowance;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private boolean begun;

    /**
     * Creates an admin exchange.
     *
     * @param allowance told how much time the rest may take
     */
    AdminExchange(AdminRequest request, OutputStream output, Consumer<Duration> allowance) {
        this.request = request;
        this.output = output;
        this.allowance = allowance;
    }

    AdminRequest request() {
        return request;
    }

    /** Sets a header of the answer. */
    void header(String name, String value) {
        headers.put(name, value);
    }

    /** It is about to do something that takes as long as this by itself. */
    void allow(Duration time) {
        allowance.accept(time);
    }

    /** It has come further, and has its time again. */
    void extend() {
        allow(AdminConnections.TIME_MAX);
    }

    /**
     * Sends the whole answer.
     *
     * @throws IOException when the client has gone, or another answer has begun
     */
    void send(int status, byte[] body) throws IOException {
        headers.put("Content-Length", String.valueOf(body.length));
        output.write(head(status));
        if (!request.isHead()) {
            output.write(body);
        }
        output.flush();
    }

    /** Begins an answer that ends with the connection. */
    OutputStream stream(int status) throws IOException {
        output.write(head(status));
        output.flush();
        return output;
    }

    private byte[] head(int status) throws IOException {
        if (begun) {
            throw new IOException("an answer has begun already");
        }
        begun = true;
        StringBuilder head = new StringBuilder("HTTP/1.1 ")
                .append(status)
                .append(' ')
                .append(PHRASES.getOrDefault(status, ""))
                .append("\r\nDate: ")
                .append(date(ZonedDateTime.now(ZoneOffset.UTC)))
                .append("\r\nConnection: close\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        return head.append("\r\n").toString().getBytes(ISO_8859_1);
    }

    /** Formats a date as RFC 9110 section 5.6.7 requires, without the JDK's locale data, which takes long to load. */
    static String date(ZonedDateTime utc) {
        return DAYS.get(utc.getDayOfWeek().getValue() - 1) + ", " + twoDigits(utc.getDayOfMonth()) + " "
                + MONTHS.get(utc.getMonthValue() - 1) + " " + utc.getYear() + " " + twoDigits(utc.getHour()) + ":"
                + twoDigits(utc.getMinute()) + ":" + twoDigits(utc.getSecond()) + " GMT";
    }

    private static String twoDigits(int number) {
        return number < 10 ? "0" + number : String.valueOf(number);
    }
}
