package dev.sluice.gateway.admin;

import static dev.sluice.testkit.FuzzProperty.check;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.config.model.AdminHttpConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A fuzzer of requests to the admin endpoint, and of its answers. A request is read within its limits, the same
 * however its bytes come, or refused by a status; what is answered is one response with the length that it says, none
 * of our own errors, and no header of the client's making.
 *
 * <p>Input: the received bytes. The corpus was written by hand, after what curl, Prometheus and browsers send.
 */
public final class AdminRequestFuzzer {
    /** Ends of lines do not count. */
    private static final int READ_BYTES_MAX = 2 * (RequestReader.HEAD_BYTES_MAX + RequestReader.BODY_BYTES_MAX);

    private static final Pattern HEAD =
            Pattern.compile("HTTP/1\\.1 ([0-9]{3}) [A-Za-z ]+\r\n((?:[A-Za-z-]+: [ -~]*\r\n)*)\r\n", Pattern.DOTALL);
    private static final Pattern LENGTH = Pattern.compile("Content-Length: ([0-9]+)\r\n");

    private static final Routes ROUTES = routes();

    private AdminRequestFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        ByteArrayInputStream input = new ByteArrayInputStream(bytes);
        Read read = Read.from(input);
        check(bytes.length - input.available() <= READ_BYTES_MAX, "read more than the limits allow");
        check(read.equals(Read.from(new Drip(bytes))), "another request in pieces");
        if (read.request() != null) {
            answer(read.request());
        }
    }

    private static Routes routes() {
        FakeGateway gateway = new FakeGateway();
        EventStreams streams = new EventStreams();
        streams.close(); // each stream ends behind its first event
        InetSocketAddress local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new Routes(gateway, new Sampler(gateway, streams), streams, new Guard(AdminHttpConfig.local(local)));
    }

    /**
     * The outcome of reading.
     *
     * @param request null: there is none
     * @param status of the refusal; 0: the client has gone, or there is a request
     */
    private record Read(@Nullable AdminRequest request, int status) {
        static Read from(InputStream input) {
            try {
                return new Read(new RequestReader(input).read(), 0);
            } catch (BadRequestException bad) {
                check(bad.status() >= 400 && bad.status() <= 599, "a status of " + bad.status());
                return new Read(null, bad.status());
            } catch (IOException gone) {
                return new Read(null, 0);
            }
        }
    }

    /** Bytes that come one at a time. */
    private static final class Drip extends InputStream {
        private final byte[] bytes;
        private int next;

        Drip(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return next < bytes.length ? bytes[next++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            int value = length == 0 ? 0 : read();
            if (value >= 0 && length > 0) {
                into[offset] = (byte) value;
            }
            return value < 0 ? -1 : Math.min(length, 1);
        }
    }

    // --- the answer -------------------------------------------------------------------------------------------------

    private static void answer(AdminRequest request) {
        check(request.path().startsWith("/"), "a path that is none: " + request.path());
        check(isText(request.method() + request.path() + request.query()), "a control character in the request line");
        request.headers().forEach((name, value) -> check(isText(name + value), "a control character in " + name));
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ROUTES.handle(new AdminExchange(request, output, _ -> {}));
        Matcher head = HEAD.matcher(output.toString(ISO_8859_1));
        check(head.lookingAt(), "no response to " + request + ": " + output);
        check(!head.group(1).equals("500"), "an error of our own: " + output);
        Matcher length = LENGTH.matcher(head.group(2));
        boolean stream = request.path().equals("/events") && head.group(1).equals("200");
        check(length.find() != stream, "a length, or none where there should be one");
        if (!stream) {
            int body = request.isHead() ? 0 : Integer.parseInt(length.group(1));
            check(output.size() - head.end() == body, "a body of another length");
        }
    }

    private static boolean isText(String text) {
        return text.chars().noneMatch(each -> (each < ' ' && each != '\t') || each == 0x7f);
    }
}
