package dev.sluice.bench.endurance;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.hostile.HostileBackend;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The process of the {@link HonestClients} and of two backends. Prints {@code ok library=…} first, then answers each
 * input line with a line, and exits at the end of its input. Connections that break without a reason are listed on
 * standard error.
 *
 * <ul>
 *   <li>{@code backends}: {@code ok port0=… port1=…}
 *   <li>{@code start PORT}: the clients come to the gateway
 *   <li>{@code fail NUMBER}, {@code restore NUMBER}: a backend's failure, and its end
 *   <li>{@code figures}: {@code ok} and what {@link TrafficTally} holds since the last time
 *   <li>{@code stop}: the clients leave
 * </ul>
 */
public final class TrafficMain {
    private final TrafficTally tally = new TrafficTally();
    private final List<HostileBackend> backends;
    private @Nullable HonestClients clients;

    private TrafficMain(List<HostileBackend> backends) {
        this.backends = backends;
    }

    /** Serves until the end of input. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (HostileBackend first = HostileBackend.start();
                HostileBackend second = HostileBackend.start()) {
            TrafficMain traffic = new TrafficMain(List.of(first, second));
            out.println("ok library=the JDK");
            String line;
            while ((line = in.readLine()) != null) {
                out.println(traffic.answer(line.split(" ", -1)));
            }
        }
    }

    private String answer(String[] words) {
        try {
            return "ok " + obey(words);
        } catch (RuntimeException e) {
            return "error " + String.valueOf(e.getMessage()).replace('\n', ' ');
        }
    }

    private String obey(String[] words) {
        switch (words[0]) {
            case "backends" -> {
                return "port0=" + backends.getFirst().port() + " port1="
                        + backends.getLast().port();
            }
            case "start" -> clients = HonestClients.start(Integer.parseInt(words[1]), tally);
            case "fail" -> {
                started().backendFails();
                backend(words[1]).fail();
            }
            case "restore" -> backend(words[1]).restore();
            case "figures" -> {
                return tally.take();
            }
            case "stop" -> started().close();
            default -> throw new BenchException("unknown command, command=" + words[0]);
        }
        return "";
    }

    private HostileBackend backend(String number) {
        return backends.get(Integer.parseInt(number));
    }

    private HonestClients started() {
        HonestClients started = clients;
        if (started == null) {
            throw new BenchException("no clients have started yet");
        }
        return started;
    }
}
