package dev.sluice.gateway.proxyprotocol;

import static dev.sluice.testkit.FuzzProperty.check;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fuzzer of the PROXY header that a proxy sends before its client's bytes. {@link HeaderLength} says the same however
 * the bytes come, a header is read or refused by {@link ProxyProtocolException}, not a byte behind it is read, and what
 * was read and is written again reads the same.
 *
 * <p>Input: the received bytes. Those of the corpus that are named haproxy are what HAProxy sent to a server, with
 * {@code send-proxy}, {@code send-proxy-v2} and their options; the others were written by hand.
 */
public final class ProxyHeaderFuzzer {
    /** Behind these many bytes a length depends on no more of them. */
    private static final int DECIDED_BYTES = 200;

    private static final int REFUSED = -2;

    private ProxyHeaderFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        byte[] received = Arrays.copyOf(bytes, Math.min(bytes.length, HeaderLength.BYTES_MAX));
        int length = HeaderLength.UNKNOWN_YET;
        for (int count = 0; count <= Math.min(received.length, DECIDED_BYTES); count++) {
            int now = length(received, count);
            check(length == HeaderLength.UNKNOWN_YET || now == length, "another length with another byte");
            length = now;
        }
        check(length(received, received.length) == length, "another length with all bytes");
        check(length <= HeaderLength.BYTES_MAX, "a header longer than the limit");
        if (length > 0 && length <= received.length) {
            header(received, length);
        }
    }

    private static int length(byte[] bytes, int count) {
        try {
            int length = HeaderLength.of(bytes, count);
            check(length == HeaderLength.UNKNOWN_YET || length > 0, "a length below 1");
            return length;
        } catch (ProxyProtocolException refused) {
            return REFUSED;
        }
    }

    private static void header(byte[] bytes, int length) {
        ProxyHeader header = read(bytes, length, length);
        check(Objects.equals(header, read(bytes, bytes.length, length)), "another header with bytes behind it");
        if (header == null) {
            return;
        }
        if (bytes[0] == 'P') {
            checkLine(header, new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
        }
        // Texts that are too long are cut, and those of no TLS left out: what is written once stays as it is.
        ProxyHeader again = reread(header.toVersionTwo());
        check(Objects.equals(header.source(), again.source()), "another source in version 2");
        check(Objects.equals(header.destination(), again.destination()), "another destination in version 2");
        check(again.equals(reread(again.toVersionTwo())), "another header in version 2");
        ProxyHeader line = reread(header.toVersionOne());
        check(Objects.equals(header.source(), line.source()), "another source in version 1");
        check(Objects.equals(header.destination(), line.destination()), "another destination in version 1");
    }

    /** Reads a header; null when it is refused. */
    private static @Nullable ProxyHeader read(byte[] bytes, int received, int length) {
        ByteArrayInputStream input = new ByteArrayInputStream(bytes, 0, received);
        try {
            ProxyHeader header = ProxyHeader.read(input);
            check(received - input.available() == length, "read " + (received - input.available()) + " of " + length);
            return header;
        } catch (ProxyProtocolException refused) {
            check(!String.valueOf(refused.getMessage()).isEmpty(), "no reason");
            return null;
        } catch (IOException e) {
            throw new AssertionError("a whole header that ends too early", e);
        }
    }

    private static ProxyHeader reread(byte[] written) {
        return Objects.requireNonNull(read(written, written.length, written.length), "what was written is refused");
    }

    private static void checkLine(ProxyHeader header, String line) {
        String[] words = line.strip().split(" ", -1);
        if (header.source() == null) {
            check(words[1].equals("UNKNOWN"), "no source of " + line);
            return;
        }
        check(header.source().getAddress().equals(InetAddress.ofLiteral(words[2])), "another source than " + line);
        check(header.source().getPort() == Integer.parseInt(words[4]), "another port than " + line);
        check(header.tls().equals(TlsFacts.NONE), "TLS in version 1");
    }
}
