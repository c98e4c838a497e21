package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.context.EngineConformance;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.record.RecordChannel;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests with clients that request short records (max_fragment_length, RFC 6066 section 4), {@code openssl s_client}:
 * libssl negotiates it, and the direct engine respects it.
 */
final class FragmentLengthTest extends EngineConformance {
    private static final Duration LIMIT = Waiting.LIMIT;
    private static final int SOCKET_TIMEOUT_MILLIS = 60_000;
    private static final int HEADER_BYTES = 5;
    private static final String UPLOAD = "up".repeat(5_000) + "load";
    private static final String DOWNLOAD = "down".repeat(10_000) + "load";

    FragmentLengthTest() {
        super(EngineKind.DIRECT);
    }

    static List<Arguments> versionsAndLimits() {
        List<Arguments> all = new ArrayList<>();
        for (String flag : List.of("-tls1_2", "-tls1_3")) {
            for (int limit : new int[] {512, 1024, 2048, 4096}) {
                all.add(Arguments.of(flag, limit));
            }
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("versionsAndLimits")
    void limitsRecordsToTheNegotiatedLength(String flag, int limit, @TempDir Path directory) throws IOException {
        TlsContext context = closing(serverWith(CERTIFICATES.server()).build());
        String sessionFile = directory.resolve("session.pem").toString();
        carriesShortRecords(context, flag, limit, "-sess_out", sessionFile);
        OurPeer resumed = carriesShortRecords(context, flag, limit, "-sess_in", sessionFile);
        assertThat(resumed.info().resumed()).isTrue();
    }

    private OurPeer carriesShortRecords(TlsContext context, String flag, int limit, String... more) throws IOException {
        OurPeer server = server(context);
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunningProgram client = sClient(listener.getLocalPort(), flag, limit, more);
                Socket socket = listener.accept()) {
            socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
            assertThat(upload(socket, server)).isEqualTo(UPLOAD);
            DirectEngine engine = (DirectEngine) server.engine();
            assertThat(engine.detached()).isEqualTo(Detach.DIRECT);

            server.write(DOWNLOAD.getBytes(StandardCharsets.US_ASCII));
            byte[] records = server.takeOutput();
            assertThat(longestPayload(records, Objects.requireNonNull(engine.channel())))
                    .isEqualTo(limit);
            socket.getOutputStream().write(records);
            client.awaitOutput(DOWNLOAD, LIMIT);
        }
        return server;
    }

    private static RunningProgram sClient(int port, String flag, int limit, String... more) {
        List<String> arguments = new ArrayList<>(List.of("s_client", "-quiet", flag));
        arguments.addAll(List.of("-maxfraglen", String.valueOf(limit), "-connect", "127.0.0.1:" + port));
        arguments.addAll(List.of(more));
        return ForeignProgram.required("openssl", "openssl")
                .command(arguments.toArray(String[]::new))
                .input(UPLOAD)
                .inputStaysOpen()
                .start();
    }

    private static String upload(Socket socket, OurPeer server) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] buffer = new byte[16_384];
        StringBuilder text = new StringBuilder();
        while (!text.toString().endsWith("load")) {
            int count = in.read(buffer);
            assertThat(count).as("before the end of %s", text).isPositive();
            server.offer(Arrays.copyOf(buffer, count));
            server.handshake();
            if (server.isEstablished()) {
                text.append(new String(server.read(), StandardCharsets.US_ASCII));
            }
            socket.getOutputStream().write(server.takeOutput());
            assertThat(server.failure()).isEmpty();
        }
        return text.toString();
    }

    private static int longestPayload(byte[] records, RecordChannel channel) {
        int overhead = channel.headroom() - HEADER_BYTES + channel.tailroom();
        int longest = 0;
        for (int at = 0; at < records.length; ) {
            int body = (records[at + 3] & 0xFF) << 8 | (records[at + 4] & 0xFF);
            longest = Math.max(longest, body - overhead);
            at += HEADER_BYTES + body;
        }
        return longest;
    }
}
