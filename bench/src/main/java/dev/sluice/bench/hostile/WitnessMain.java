package dev.sluice.bench.hostile;

import dev.sluice.bench.harness.BenchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The process of the {@link Witness} and of the backend. Prints {@code ok library=…} first, then answers each input
 * line with a line, and exits at the end of its input.
 *
 * <ul>
 *   <li>{@code backend}: {@code ok port=…}
 *   <li>{@code connect PORT}: connects to the gateway
 *   <li>{@code start}: starts the exchanges
 *   <li>{@code stop}: stops them: {@code ok p50=… p99=… count=…}, nanoseconds
 * </ul>
 */
public final class WitnessMain {
    private static @Nullable Witness witness;

    private WitnessMain() {}

    /** Serves until the end of input. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (HostileBackend backend = HostileBackend.start()) {
            out.println("ok library=the JDK");
            String line;
            while ((line = in.readLine()) != null) {
                out.println(answer(backend, line.split(" ", -1)));
            }
        }
    }

    private static String answer(HostileBackend backend, String[] words) {
        try {
            return switch (words[0]) {
                case "backend" -> "ok port=" + backend.port();
                case "connect" -> {
                    witness = Witness.connect(Integer.parseInt(words[1]));
                    yield "ok";
                }
                case "start" -> {
                    connected().start();
                    yield "ok";
                }
                case "stop" -> "ok " + connected().stop();
                default -> throw new IllegalArgumentException("unknown command, command=" + words[0]);
            };
        } catch (RuntimeException e) {
            return "error " + String.valueOf(e.getMessage()).replace('\n', ' ');
        }
    }

    private static Witness connected() {
        Witness connected = witness;
        if (connected == null) {
            throw new BenchException("the witness is not connected yet");
        }
        return connected;
    }
}
