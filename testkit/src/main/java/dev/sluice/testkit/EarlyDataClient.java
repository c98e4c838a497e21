package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A TLS client with early data, {@code openssl s_client}. The tickets of a session are in a file and can be used more
 * than once.
 */
public final class EarlyDataClient {
    /** The output for accepted early data. */
    public static final String ACCEPTED = "Early data was accepted";

    /** The output for rejected early data. */
    public static final String REJECTED = "Early data was rejected";

    /** The records sent before the server's answer, with early data of one record. */
    public static final int FIRST_FLIGHT_RECORDS = 3;

    private final ForeignProgram openssl = ForeignProgram.required("openssl", "openssl");
    private final Path directory;
    private final List<String> options;
    private int files;

    /**
     * Creates a client.
     *
     * @param directory directory of its files
     * @param options more options of s_client, such as {@code -alpn http/1.1}
     */
    public EarlyDataClient(Path directory, String... options) {
        this.directory = directory;
        this.options = List.of(options);
    }

    /** Connects, sends a request that the server answers before closing, and stores the session. */
    public Path session(int port, String request) {
        Path session = directory.resolve("session" + files++);
        ForeignResult result =
                command(port, "-sess_out", session.toString()).input(request).run();
        if (!Files.exists(session)) {
            throw new AssertionError("no session ticket: " + result);
        }
        return session;
    }

    /** Resumes a session with early data, sends more after the handshake, and waits for the server's end. */
    public ForeignResult send(int port, Path session, String early, String more) {
        return early(port, session, early).input(more).run();
    }

    /** Starts the same and returns the running program. */
    public RunningProgram start(int port, Path session, String early) {
        return early(port, session, early).inputStaysOpen().start();
    }

    private ForeignCommand early(int port, Path session, String early) {
        Path file = directory.resolve("early" + files++);
        try {
            Files.writeString(file, early, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return command(port, "-sess_in", session.toString(), "-early_data", file.toString());
    }

    private ForeignCommand command(int port, String... arguments) {
        List<String> all = new ArrayList<>(List.of("s_client", "-ign_eof", "-tls1_3", "-servername", "localhost"));
        all.addAll(List.of("-connect", "127.0.0.1:" + port));
        all.addAll(List.of("-CAfile", TestCertificates.shared().rootFile().toString()));
        all.addAll(options);
        all.addAll(List.of(arguments));
        return openssl.command(all.toArray(String[]::new));
    }
}
