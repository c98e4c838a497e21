package dev.sluice.bench.echo.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The load process. Prints {@code ok library=…} first, then answers each input line with a line, and exits at the end
 * of its input.
 *
 * <ul>
 *   <li>{@code prepare PORT CONNECTIONS BYTES}: connects and has one message echoed on each connection
 *   <li>{@code go MILLIS}: keeps one message of BYTES in flight on each connection: {@code ok nanos=… messages=…}
 *   <li>{@code finish}: ends the connections
 * </ul>
 */
public final class EchoLoadMain {
    private EchoLoadMain() {}

    /** Serves until the end of input. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (EchoLoad load = EchoLoad.start()) {
            out.println("ok library=" + load.describe());
            String line;
            while ((line = in.readLine()) != null) {
                out.println(answer(load, line.split(" ", -1)));
            }
        }
    }

    private static String answer(EchoLoad load, String[] words) {
        try {
            switch (words[0]) {
                case "prepare" ->
                    load.prepare(Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
                case "go" -> {
                    EchoLoad.Work done = load.go(Long.parseLong(words[1]));
                    return "ok nanos=" + done.nanos() + " messages=" + done.messages();
                }
                case "finish" -> load.finish();
                default -> throw new IllegalArgumentException("unknown command, command=" + words[0]);
            }
            return "ok";
        } catch (RuntimeException e) {
            load.forget();
            return "error " + String.valueOf(e.getMessage()).replace('\n', ' ');
        }
    }
}
