package dev.sluice.bench.storm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The process of a storm, or of established connections, depending on its input. Prints {@code ok library=…} first,
 * then answers each input line with a line, and exits at the end of its input.
 *
 * <ul>
 *   <li>{@code establish PORT CONNECTIONS}: connects with TLS, and has one message echoed on each connection
 *   <li>{@code probe MILLIS PER_SECOND}: messages at that rate: {@code ok p50=… p99=… p999=… count=…}, nanoseconds
 *   <li>{@code dismiss}: ends these connections
 *   <li>{@code sessions PORT COUNT}: creates resumable sessions
 *   <li>{@code storm PORT MILLIS PER_SECOND}: clients at that rate: {@code ok} and the figures of {@link StormTally}
 * </ul>
 */
public final class StormMain {
    /** One client of so many resumes a session. */
    public static final int ONE_RESUMES_OF = Storm.ONE_RESUMES_OF;

    private StormMain() {}

    /** Serves until the end of input. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Clients clients = Clients.start()) {
            Established established = new Established(clients);
            Storm storm = new Storm(clients);
            out.println("ok library=" + clients.describe());
            String line;
            while ((line = in.readLine()) != null) {
                out.println(answer(established, storm, line.split(" ", -1)));
            }
            storm.close();
        }
    }

    private static String answer(Established established, Storm storm, String[] words) {
        try {
            return switch (words[0]) {
                case "establish" -> {
                    established.connect(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                    yield "ok";
                }
                case "probe" -> "ok " + established.probe(Long.parseLong(words[1]), Double.parseDouble(words[2]));
                case "dismiss" -> {
                    established.dismiss();
                    yield "ok";
                }
                case "sessions" -> {
                    storm.makeSessions(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                    yield "ok";
                }
                case "storm" ->
                    "ok "
                            + storm.blow(
                                            Integer.parseInt(words[1]),
                                            Long.parseLong(words[2]),
                                            Double.parseDouble(words[3]))
                                    .toWords();
                default -> throw new IllegalArgumentException("unknown command, command=" + words[0]);
            };
        } catch (RuntimeException e) {
            return "error " + String.valueOf(e.getMessage()).replace('\n', ' ');
        }
    }
}
