package dev.sluice.doctor.probe;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The protocols that may precede TLS on a port. */
public enum StartTls {
    /** None: TLS from the first byte. */
    NONE(443) {
        @Override
        void negotiate(InputStream in, OutputStream out) {}
    },
    /** RFC 3207. */
    SMTP(25) {
        @Override
        void negotiate(InputStream in, OutputStream out) throws IOException, ProbeException {
            expectSmtp(in, "220", "its greeting");
            send(out, "EHLO doctor.invalid\r\n");
            expectSmtp(in, "250", "EHLO");
            send(out, "STARTTLS\r\n");
            expectSmtp(in, "220", "STARTTLS");
        }
    },
    /** RFC 9051 section 6.2.1. */
    IMAP(143) {
        @Override
        void negotiate(InputStream in, OutputStream out) throws IOException, ProbeException {
            String greeting = line(in);
            if (!greeting.startsWith("* OK")) {
                throw refused("its greeting", greeting);
            }
            send(out, "a1 STARTTLS\r\n");
            String answer = line(in);
            for (int i = 0; answer.startsWith("*") && i < MAX_LINES; i++) {
                answer = line(in);
            }
            if (!answer.toUpperCase(Locale.ROOT).startsWith("A1 OK")) {
                throw refused("STARTTLS", answer);
            }
        }
    },
    /** The SSLRequest of PostgreSQL's protocol. */
    POSTGRES(5432) {
        @Override
        void negotiate(InputStream in, OutputStream out) throws IOException, ProbeException {
            out.write(new byte[] {0, 0, 0, 8, 0x04, (byte) 0xD2, 0x16, 0x2F});
            out.flush();
            int answer = in.read();
            if (answer != 'S') {
                throw refused("SSLRequest", answer < 0 ? "the end of the connection" : "'" + (char) answer + "'");
            }
        }
    };

    private static final int MAX_LINES = 100;
    private static final int MAX_LINE_BYTES = 2_048;

    private final int defaultPort;

    StartTls(int defaultPort) {
        this.defaultPort = defaultPort;
    }

    /** Returns the default port. */
    int defaultPort() {
        return defaultPort;
    }

    /**
     * Parses a protocol's name.
     *
     * @throws IllegalArgumentException with a message for people
     */
    public static StartTls parse(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "" -> NONE;
            case "smtp" -> SMTP;
            case "imap" -> IMAP;
            case "postgres" -> POSTGRES;
            default ->
                throw new IllegalArgumentException(
                        "--starttls " + name + " is unknown; it is one of smtp, imap, postgres");
        };
    }

    /** Negotiates up to the start of TLS. */
    abstract void negotiate(InputStream in, OutputStream out) throws IOException, ProbeException;

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Reads one reply, of several lines if a hyphen follows the code. */
    private static void expectSmtp(InputStream in, String code, String to) throws IOException, ProbeException {
        String answer = line(in);
        for (int i = 0; answer.startsWith(code + "-") && i < MAX_LINES; i++) {
            answer = line(in);
        }
        if (!answer.startsWith(code)) {
            throw refused(to, answer);
        }
    }

    private static ProbeException refused(String to, String answer) {
        String shown = answer.chars()
                .limit(80)
                .map(c -> c >= ' ' && c < 0x7F ? c : '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return new ProbeException(
                ProbeException.Kind.START_TLS_REFUSED, Step.START_TLS, "answers " + to + " with: " + shown);
    }

    /** Reads one line without its end, byte by byte, so that nothing beyond it is consumed. */
    private static String line(InputStream in) throws IOException, ProbeException {
        StringBuilder text = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw refused("it", text.isEmpty() ? "the end of the connection" : text.toString());
            }
            if (text.length() == MAX_LINE_BYTES) {
                throw refused("it", "unterminated line: " + text);
            }
            text.append((char) b);
        }
        return text.toString().strip();
    }
}
