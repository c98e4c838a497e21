package dev.sluice.cli.top;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.SluiceCommand;
import dev.sluice.cli.command.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests of {@code sluice top} where neither input nor output is a terminal, as in a pipe or a cron job. */
final class TopCommandTest {
    @Test
    void printsOnceWithoutATerminal() throws Exception {
        try (ServerSocket endpoint = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = Thread.ofVirtual().start(() -> answer(endpoint));
            String[] arguments = {"top", "--admin", "http://127.0.0.1:" + endpoint.getLocalPort()};
            CommandLine command = SluiceCommand.line(arguments);
            StringWriter out = new StringWriter();
            command.setOut(new PrintWriter(out));
            assertThat(command.execute(arguments)).isEqualTo(ExitCode.OK);
            assertThat(out.toString())
                    .contains("Full handshakes", "Ticket keys")
                    .doesNotContain("\u001b");
            answering.join();
        }
    }

    private static void answer(ServerSocket endpoint) {
        try (Socket client = endpoint.accept()) {
            byte[] request = new byte[4096];
            assertThat(client.getInputStream().read(request)).isPositive();
            client.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}".getBytes(US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
