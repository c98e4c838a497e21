package dev.sluice.gateway.control;

import static dev.sluice.testkit.FuzzProperty.check;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.gateway.backend.BackendControl;
import dev.sluice.gateway.backend.Backends;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.gateway.tickets.TicketKeyException;
import dev.sluice.gateway.tickets.TicketKeyLog;
import dev.sluice.gateway.tickets.TicketKeys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A fuzzer of lines of the admin socket: each is answered by {@code ok} or {@code error} and text, never by an error of
 * our own, and no more than a line is read.
 *
 * <p>Input: the received bytes. The corpus was written by hand, after what {@code sluice} sends.
 */
public final class AdminLineFuzzer {
    /** Names a file that would be read or written: no input does that, unless its path is none. */
    private static final Pattern FILES = Pattern.compile("tickets (import|export) /[^\0]*", Pattern.DOTALL);

    private AdminLineFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        ByteArrayInputStream input = new ByteArrayInputStream(bytes);
        String line = line(input);
        check(bytes.length - input.available() <= AdminSocket.LINE_BYTES_MAX + 1, "read more than a line");
        check(line.indexOf('\n') < 0, "read more than a line: " + line);
        if (!FILES.matcher(line.strip()).matches()) {
            String answer = answer(line);
            check(answer.startsWith("ok\n") || answer.startsWith("error\n"), answer);
            check(answer.endsWith("\n"), "no end: " + answer);
            check(!answer.contains("an error of our own"), answer);
        }
    }

    private static String line(ByteArrayInputStream input) {
        try {
            return AdminSocket.line(input);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ticket keys are those of this input: what it rotates is wiped later, while another test may count. */
    private static String answer(String line) {
        try (TicketKeys keys = keys()) {
            return AdminSocket.answer(new AdminCommands(commands(keys)), line);
        }
    }

    private static Map<String, AdminSocket.Commands> commands(TicketKeys keys) {
        GatewayConfig config = new GatewayConfig(
                List.of(), List.of(), List.of(), LimitsConfig.DEFAULT, 1, TransportChoice.AUTO, null, Duration.ZERO);
        AdminSocket.Commands life = new LifeCommands(new Replaced());
        AdminSocket.Commands configuration =
                new ConfigurationCommands(() -> config, List::of, () -> () -> "reloaded sluice.yaml\n");
        Map<String, AdminSocket.Commands> commands = new HashMap<>();
        commands.put("handover", life);
        commands.put("drain", life);
        commands.put(LifeCommands.STATE, life);
        commands.put("reload", configuration);
        commands.put("certificates", configuration);
        commands.put("backends", new BackendCommands(new BackendControl(new Backends(GatewayLog.NONE))));
        commands.put("tickets", new TicketCommands(keys));
        commands.put("log", new LogCommands(() -> null));
        return commands;
    }

    private static TicketKeys keys() {
        try {
            return TicketKeys.start(TicketConfig.DEFAULT, new Silence());
        } catch (TicketKeyException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A gateway that nobody takes the sockets of. */
    private static final class Replaced implements LifeCommands.Target {
        @Override
        public int handOver(Path to) throws IOException {
            throw new IOException("nobody waits at " + to);
        }

        @Override
        public boolean isEnding() {
            return false;
        }

        @Override
        public boolean askToDrain() {
            return true;
        }
    }

    /** A log without readers. */
    private static final class Silence implements TicketKeyLog {
        @Override
        public void info(String line) {}

        @Override
        public void warn(String line) {}
    }
}
