package dev.sluice.bench.jsse.server;

import com.sun.management.ThreadMXBean;
import dev.sluice.bench.record.path.Credentials;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The process of one server. Prints {@code ok library=…} when ready, then answers each input line with a line, and
 * exits at the end of its input, so that it never outlives its parent.
 *
 * <ul>
 *   <li>{@code port}: {@code ok port=…}
 *   <li>{@code allocated}: {@code ok bytes=…}: allocated on the heap by all threads since the start
 * </ul>
 */
public final class ServerMain {
    private ServerMain() {}

    /**
     * Runs the server.
     *
     * @param arguments the name of a {@link ServerKind}, certificate, key
     */
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // other output must not mix with the answers
        Credentials credentials = new Credentials(Path.of(arguments[1]), Path.of(arguments[2]));
        try (RunningServer server = ServerKind.valueOf(arguments[0]).start(credentials)) {
            out.println("ok library=" + server.library());
            answer(server, out);
        } catch (RuntimeException e) {
            out.println("error " + String.valueOf(e.getMessage()).replace('\n', ' '));
        }
    }

    private static void answer(RunningServer server, PrintStream out) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        String line;
        while ((line = in.readLine()) != null) {
            out.println(
                    switch (line) {
                        case "port" -> "ok port=" + server.port();
                        case "allocated" -> "ok bytes=" + threads.getTotalThreadAllocatedBytes();
                        default -> "error unknown command, line=" + line;
                    });
        }
    }
}
