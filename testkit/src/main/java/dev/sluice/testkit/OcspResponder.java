package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * An OCSP responder for the certificates of an authority, {@code openssl ocsp}. It always listens on all addresses of
 * the machine, and answers only for test certificates. Closing kills it.
 */
public final class OcspResponder implements AutoCloseable {
    private static final Duration START_LIMIT = Waiting.LIMIT;
    private static final DateTimeFormatter UTC_TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private final RunningProgram program;
    private final int port;

    private OcspResponder(RunningProgram program, int port) {
        this.program = program;
        this.port = port;
    }

    /**
     * Starts a responder.
     *
     * @param authority issuer of the certificates
     * @param signer signer of the responses
     * @param port listening port, see {@link FreePort}
     * @param good certificates that are not revoked; all others are unknown
     */
    public static OcspResponder start(Credential authority, Credential signer, int port, Credential... good) {
        RunningProgram program = ForeignProgram.required("openssl", "openssl")
                .command(
                        "ocsp",
                        "-port",
                        Integer.toString(port),
                        "-index",
                        index(List.of(good)).toString(),
                        "-CA",
                        authority.chainFile().toString(),
                        "-rsigner",
                        signer.chainFile().toString(),
                        "-rkey",
                        signer.keyFile().toString(),
                        "-ndays",
                        "1",
                        "-ignore_err")
                .start();
        program.awaitOutput("waiting for OCSP client connections", START_LIMIT);
        return new OcspResponder(program, port);
    }

    /** Writes the index of {@code openssl ca}, see openssl-ca(1): status, end, revocation, serial, file, name. */
    private static Path index(List<Credential> good) {
        StringBuilder lines = new StringBuilder();
        for (Credential credential : good) {
            Instant end = credential.certificate().getNotAfter().toInstant();
            String serial =
                    credential.certificate().getSerialNumber().toString(16).toUpperCase(Locale.ROOT);
            lines.append("V\t")
                    .append(UTC_TIME.format(end))
                    .append("\t\t")
                    .append(serial.length() % 2 == 0 ? serial : "0" + serial)
                    .append("\tunknown\t/CN=")
                    .append(serial)
                    .append("\n");
        }
        try {
            Path file = Files.createTempFile("sluice-ocsp-index", ".txt");
            file.toFile().deleteOnExit();
            return Files.writeString(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the URL of the responder. */
    public String url() {
        return "http://127.0.0.1:" + port + "/";
    }

    @Override
    public void close() {
        program.close();
    }
}
