package dev.sluice.bench.load;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.tls.context.ProtocolVersion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The load generator's process. Reads commands from standard input, a line each, and answers each with one line that
 * begins with {@code ok} or {@code error}. Exits at the end of its input, so that it never outlives its parent.
 *
 * <ul>
 *   <li>initially: {@code ok backend=PORT tls=LIBRARY}, spaces in the library's name as underscores
 *   <li>{@code prepare scenario=… port=… tls=… connections=… units=… per_second=…}
 *   <li>{@code go}: {@code ok nanos=…}, and for measured latencies the words of {@link Latencies}
 *   <li>{@code finish}
 *   <li>{@code greet scenario=… port=… tls=… connections=1 units=1 per_second=0}: one connection and one byte, retried
 *       for a while: {@code ok served=…}
 * </ul>
 */
public final class LoadMain {
    /** The argument for the JDK's TLS instead of Sluice's. */
    public static final String JDK_CLIENT = "jdk";

    /** The argument for TLS 1.2 instead of TLS 1.3. */
    public static final String TLS_1_2 = "tls1.2";

    private static final long STEP_MILLIS_MAX = 180_000;

    /** The time of connection attempts before the answer that the server is not ready. */
    private static final long GREETING_MILLIS_MAX = 200;

    private final Dialer dialer;
    private @Nullable Scenario scenario;

    private LoadMain(Dialer dialer) {
        this.dialer = dialer;
    }

    /** Serves until the end of input. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Backend backend = Backend.start();
                Dialer dialer = dialer(arguments)) {
            LoadMain load = new LoadMain(dialer);
            out.println("ok backend=" + backend.port() + " tls=" + dialer.describe());
            String line;
            while ((line = in.readLine()) != null) {
                out.println(load.answer(line));
            }
        }
    }

    private static Dialer dialer(String[] arguments) {
        return switch (arguments.length == 0 ? "" : arguments[0]) {
            case JDK_CLIENT -> new JdkDialer();
            case TLS_1_2 -> new SluiceDialer(ProtocolVersion.TLS_1_2);
            default -> new SluiceDialer();
        };
    }

    private String answer(String line) {
        try {
            return "ok " + obey(line);
        } catch (RuntimeException e) {
            scenario = null;
            return "error " + String.valueOf(e.getMessage()).replace('\n', ' ');
        }
    }

    private String obey(String line) {
        int space = line.indexOf(' ');
        String verb = space < 0 ? line : line.substring(0, space);
        switch (verb) {
            case "prepare" -> prepare(LoadRequest.parse(line));
            case "go" -> {
                long before = System.nanoTime();
                play(current(), current()::go);
                return "nanos=" + (System.nanoTime() - before) + " " + current().figures();
            }
            case "finish" -> play(current(), current()::finish);
            case "greet" -> {
                return greet(LoadRequest.parse(line));
            }
            default -> throw new BenchException("unknown command, line=" + line);
        }
        return "";
    }

    private void prepare(LoadRequest request) {
        scenario = Scenario.of(dialer, request);
        play(scenario, scenario::prepare);
    }

    /** Dials until the server answers, for as long as the harness may wait. */
    private String greet(LoadRequest request) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GREETING_MILLIS_MAX);
        while (true) {
            Scenario greeting = Scenario.of(dialer, request);
            try {
                play(greeting, greeting::go);
                return "served=true";
            } catch (BenchException e) {
                if (System.nanoTime() > deadline) {
                    return "served=false";
                }
                pause();
            }
        }
    }

    private void play(Scenario playing, Runnable step) {
        boolean inTime = dialer.drive(step, playing::done, STEP_MILLIS_MAX);
        playing.requireIntact();
        if (!inTime) {
            throw new BenchException("not finished after " + STEP_MILLIS_MAX + " ms: " + playing.progress());
        }
    }

    private Scenario current() {
        if (scenario == null) {
            throw new BenchException("no scenario is prepared");
        }
        return scenario;
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
