package dev.sluice.gateway.control;

import dev.sluice.gateway.control.AdminSocket.CommandException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The admin-socket commands for a gateway that another one replaces: {@code handover PATH}, to pass its listening
 * sockets to the process that waits there, {@code drain}, and {@code state}, which tells whether it serves or drains.
 */
public final class LifeCommands implements AdminSocket.Commands {
    /** Asks whether it serves or drains. */
    public static final String STATE = "state";

    /** All that a gateway answers that drains. */
    static final String DRAINING = "ok\ndraining\n";

    private static final String HANDOVER = "handover ";

    /** The gateway, as far as these commands need it. */
    public interface Target {
        /**
         * Sends copies of the listening sockets.
         *
         * @return how many
         */
        int handOver(Path to) throws IOException;

        /** Returns true once the gateway has begun to end. */
        boolean isEnding();

        /** Has it end in order, and waits until it accepts nobody any more; false when nobody waits for being asked. */
        boolean askToDrain() throws InterruptedException;
    }

    private final Target target;

    public LifeCommands(Target target) {
        this.target = target;
    }

    @Override
    public String answer(String line) throws CommandException {
        if (line.startsWith(HANDOVER)) {
            return handOver(line.substring(HANDOVER.length()));
        }
        return switch (line) {
            case "drain" -> drain();
            case STATE -> target.isEnding() ? "draining\n" : "serving\n";
            default ->
                throw new CommandException("\"" + line + "\" is no command; there are handover PATH, drain and state");
        };
    }

    private String drain() throws CommandException {
        try {
            if (target.askToDrain()) {
                return "draining\n";
            }
            throw new CommandException("this gateway is part of another program, which alone can end it");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("this gateway has ended");
        }
    }

    private String handOver(String path) throws CommandException {
        try {
            return target.handOver(Path.of(path)) + " sockets\n";
        } catch (IOException | IllegalStateException | InvalidPathException e) {
            throw new CommandException("sockets cannot be passed to " + path + ": " + e.getMessage());
        }
    }
}
