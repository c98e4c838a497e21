package dev.sluice.bench.idle;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * The process of clients and a backend. Prints {@code ok library=…} first, then answers each input line with a line,
 * and exits at the end of its input.
 *
 * <ul>
 *   <li>{@code backend}: {@code ok port=…}: the port of its backend on 127.0.0.1
 *   <li>{@code keep PORT COUNT SOURCE}: opens connections from an address for later messages
 *   <li>{@code rest PORT COUNT SOURCE}: opens connections that rest after their first message
 *   <li>{@code probe COUNT}: consecutive messages on the kept connections: {@code ok p50=… p99=…}, in nanoseconds
 *   <li>{@code talk COUNT}: messages on the kept connections in turn, 64 at a time: {@code ok}
 *   <li>{@code count}: {@code ok resting=…}: the resting connections that the server has not ended
 * </ul>
 */
public final class CrowdMain {
    private CrowdMain() {}

    /** Serves until the end of input. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        CrowdEcho echo = CrowdEcho.start();
        try (Crowd crowd = new Crowd()) {
            out.println("ok library=" + OpenSsl.require().version());
            String line;
            while ((line = in.readLine()) != null) {
                out.println(answer(echo, crowd, line.split(" ", -1)));
            }
        }
    }

    private static String answer(CrowdEcho echo, Crowd crowd, String[] words) {
        try {
            return switch (words[0]) {
                case "backend" -> "ok port=" + echo.port();
                case "keep" -> {
                    crowd.keep(server(words), count(words), source(words));
                    yield "ok";
                }
                case "rest" -> {
                    crowd.rest(server(words), count(words), source(words));
                    yield "ok";
                }
                case "probe" -> "ok " + crowd.probe(Integer.parseInt(words[1]));
                case "talk" -> {
                    crowd.talk(Integer.parseInt(words[1]));
                    yield "ok";
                }
                case "count" -> "ok resting=" + crowd.countResting();
                default -> throw new IllegalArgumentException("unknown command, command=" + words[0]);
            };
        } catch (RuntimeException | IOException | InterruptedException e) {
            return "error " + String.valueOf(e.getMessage()).replace('\n', ' ');
        }
    }

    private static InetSocketAddress server(String[] words) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(words[1]));
    }

    private static int count(String[] words) {
        return Integer.parseInt(words[2]);
    }

    private static InetSocketAddress source(String[] words) throws IOException {
        return new InetSocketAddress(InetAddress.getByName(words[3]), 0);
    }
}
