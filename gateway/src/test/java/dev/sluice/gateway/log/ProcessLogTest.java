package dev.sluice.gateway.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.log.LogConfig;
import dev.sluice.config.log.LogFormat;
import dev.sluice.config.log.LogLevel;
import dev.sluice.config.log.LogTarget;
import dev.sluice.config.log.SyslogFacility;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.failure.Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the log's forms and targets, read by Python: its JSON, and a reader of the journal's native protocol. */
class ProcessLogTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Text of a hostile peer: a forged line, escape sequences of both widths, a reversal, half a character. */
    private static final String HOSTILE =
            "name \"a\r\n2026-11-21T06:30:00Z ERROR forged\u001b[2J\u009b2J\u202e\ud800\"";

    private static final LoggedFailure FAILURE =
            new LoggedFailure(Fault.PEER_MISBEHAVED, "handshake_timeout", "198.51.100.7:52114", HOSTILE);

    /** Receives datagrams at a socket, and prints each: fields of the journal by name, anything else as it is. */
    private static final String DAEMON = """
            import os, socket, struct, sys
            ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            if os.path.exists(sys.argv[1]): os.unlink(sys.argv[1])
            ear.bind(sys.argv[1])
            print("listening", flush=True)
            while True:
                data = ear.recv(1 << 20)
                if sys.argv[2] == "syslog":
                    print("GOT", ascii(data.decode()), flush=True)
                    continue
                fields = []
                while data:
                    name, rest = data.split(b"\\n", 1)
                    length = struct.unpack("<Q", rest[:8])[0]
                    assert rest[8 + length:9 + length] == b"\\n"
                    fields.append(name.decode() + "=" + rest[8:8 + length].decode())
                    data = rest[9 + length:]
                print("GOT", ascii(" ".join(fields)), flush=True)
            """;

    @RegisterExtension
    final NativeBalance<?> descriptors = NativeBalance.ofDescriptors();

    @TempDir
    private Path directory = Path.of("");

    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();

    private static LogConfig config(LogFormat format, LogTarget target, Path socket) {
        return new LogConfig(LogLevel.INFO, format, target, SyslogFacility.LOCAL0, socket);
    }

    private RunningProgram daemon(Path socket, LogTarget target) {
        RunningProgram daemon = ForeignProgram.required("python3", "python3")
                .command("-c", DAEMON, socket.toString(), target.name().toLowerCase(Locale.ROOT))
                .start();
        daemon.awaitOutput("listening", LONG);
        return daemon;
    }

    @Test
    void writesTimeLevelAndText() {
        try (ProcessLog log = new ProcessLog(stderr)) {
            log.warn("something");
        }

        assertThat(text()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ WARN  something\\R");
    }

    @Test
    void textOfPeersForgesNoLine() {
        try (ProcessLog log = new ProcessLog(stderr)) {
            log.failure(LogLevel.INFO, FAILURE);
        }

        assertThat(text().lines()).hasSize(1);
        assertThat(text())
                .endsWith("INFO  198.51.100.7:52114 handshake_timeout: name \"a | 2026-11-21T06:30:00Z ERROR"
                        + " forged?[2J?2J??\"\n");
    }

    @Test
    void levelIsKeptUntilTheConfigurationChanges() {
        try (ProcessLog log = new ProcessLog(stderr)) {
            log.level(LogLevel.ERROR);
            log.apply(LogConfig.DEFAULT);
            log.warn("not this");
            log.apply(config(LogFormat.TEXT, LogTarget.STDERR, Path.of("/dev/stderr")));
            log.info("but this");
        }

        assertThat(text()).contains("but this").doesNotContain("not this");
    }

    @Test
    void jsonIsReadAsItWasMeant() throws IOException {
        try (ProcessLog log = new ProcessLog(stderr)) {
            log.apply(config(LogFormat.JSON, LogTarget.STDERR, Path.of("/dev/stderr")));
            log.failure(LogLevel.WARN, FAILURE);
            log.info("plain");
        }

        Path file = Files.write(directory.resolve("log.json"), stderr.toByteArray());
        String read = ForeignProgram.required("python3", "python3")
                .command("-c", """
                        import json, sys
                        for line in open(sys.argv[1], newline="\\n"):
                            entry = json.loads(line)
                            del entry["time"]
                            print(ascii(entry))
                        """, file.toString())
                .run()
                .output();
        assertThat(read)
                .contains(
                        "{'level': 'warn', 'message': 'name \"a\\r\\n2026-11-21T06:30:00Z ERROR forged\\x1b[2J?2J??\"',"
                                + " 'reason': 'handshake_timeout', 'fault': 'peer_misbehaved', 'connection':"
                                + " '198.51.100.7:52114'}")
                .contains("{'level': 'info', 'message': 'plain'}");
    }

    @Test
    void syslogReceivesMessagesOfItsProtocol() {
        Path socket = directory.resolve("log");
        try (RunningProgram daemon = daemon(socket, LogTarget.SYSLOG);
                ProcessLog log = new ProcessLog(stderr)) {
            log.apply(config(LogFormat.TEXT, LogTarget.SYSLOG, socket));
            log.failure(LogLevel.WARN, FAILURE);
            log.warn("x".repeat(20_000));

            String header =
                    "<132>1 [0-9TZ:.-]+ \\S+ sluice " + ProcessHandle.current().pid();
            Waiting.until(LONG, () -> daemon.output().contains("xxx"), daemon::output);
            assertThat(daemon.output().lines().filter(line -> line.startsWith("GOT")))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .matches("GOT '" + header + " handshake_timeout - 198.51.100.7:52114"
                                            + " handshake_timeout: name \"a \\| 2026-11-21T06:30:00Z ERROR"
                                            + " forged\\?\\[2J\\?2J\\?\\?\"'"),
                            line -> assertThat(line)
                                    .matches("GOT '" + header + " - - x+'")
                                    .hasSize(SyslogMessage.BYTES_MAX + "GOT ''".length()));
        }
        assertThat(text()).isEmpty();
    }

    @Test
    void journalReceivesFields() {
        Path socket = directory.resolve("journal");
        try (RunningProgram daemon = daemon(socket, LogTarget.JOURNALD);
                ProcessLog log = new ProcessLog(stderr)) {
            log.apply(config(LogFormat.TEXT, LogTarget.JOURNALD, socket));
            log.failure(LogLevel.INFO, FAILURE);

            daemon.awaitOutput(
                    "GOT 'MESSAGE=198.51.100.7:52114 handshake_timeout: name \"a | 2026-11-21T06:30:00Z ERROR"
                            + " forged?[2J?2J??\" PRIORITY=6 SYSLOG_FACILITY=16 SYSLOG_IDENTIFIER=sluice"
                            + " SLUICE_REASON=handshake_timeout SLUICE_FAULT=peer_misbehaved"
                            + " SLUICE_CONNECTION=198.51.100.7:52114'",
                    LONG);
        }
    }

    @Test
    void linesWaitForADaemonThatComesLateAndTheRestIsCounted() {
        Path socket = directory.resolve("log");
        try (ProcessLog log = new ProcessLog(stderr)) {
            log.apply(config(LogFormat.TEXT, LogTarget.SYSLOG, socket));
            log.info("the first");
            Waiting.until(LONG, () -> text().contains("does not receive"), this::text);
            for (int i = 0; i < LogLineWriter.ENTRIES_MAX + 10; i++) {
                log.info("line " + i + "."); // none of them waits
            }

            assertThat(log.lost()).isEqualTo(10);
            assertThat(text()).contains("syslog at " + socket + " does not receive (" + socket + ": ENOENT");
            try (RunningProgram daemon = daemon(socket, LogTarget.SYSLOG)) {
                daemon.awaitOutput("receives again; 10 lines were lost meanwhile", LONG);
                daemon.awaitOutput("line " + (LogLineWriter.ENTRIES_MAX - 1) + ".", LONG);
                assertThat(daemon.output()).contains("the first");
            }
        }
    }

    @Test
    void whatNoTargetTookComesToStandardErrorAtTheEnd() {
        try (ProcessLog log = new ProcessLog(stderr)) {
            log.apply(config(LogFormat.TEXT, LogTarget.JOURNALD, directory.resolve("nobody")));
            log.info("one");
            log.info("two");
        }

        assertThat(text()).contains("INFO  one\n").contains("INFO  two\n");
    }

    @Test
    void streamThatNobodyReadsDelaysNobody() throws InterruptedException {
        CountDownLatch released = new CountDownLatch(1);
        OutputStream full = new OutputStream() {
            @Override
            public void write(int one) {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        try (ProcessLog log = new ProcessLog(full)) {
            for (int i = 0; i < 2 * LogLineWriter.ENTRIES_MAX; i++) {
                log.info("line"); // would wait for ever otherwise
            }
            assertThat(log.lost()).isBetween(LogLineWriter.ENTRIES_MAX - 1L, (long) LogLineWriter.ENTRIES_MAX);
            released.countDown();
        }
    }

    private String text() {
        return stderr.toString(StandardCharsets.UTF_8);
    }
}
