package dev.sluice.gateway.control;

import dev.sluice.gateway.backend.BackendControl;
import dev.sluice.gateway.backend.BackendControl.RefusedException;
import dev.sluice.gateway.backend.BackendReport;
import dev.sluice.gateway.backend.ServerMode;
import dev.sluice.gateway.backend.UnknownServerException;
import dev.sluice.gateway.control.AdminSocket.CommandException;
import java.util.Arrays;

/**
 * The admin-socket commands behind {@code sluice backends}: {@code backends list}, {@code backends list json},
 * {@code backends drain BACKEND SERVER [WAIT]}, {@code disable} and {@code enable} likewise, and
 * {@code backends weight BACKEND SERVER WEIGHT}. Fields are separated by tabs where a name has spaces.
 */
public final class BackendCommands implements AdminSocket.Commands {
    private static final String WORD = "backends ";
    private static final String KNOWN = "backends list, backends list json, backends drain BACKEND SERVER [WAIT],"
            + " backends disable BACKEND SERVER [WAIT], backends enable BACKEND SERVER"
            + " and backends weight BACKEND SERVER WEIGHT";

    private final BackendControl control;

    /** Creates the commands. */
    public BackendCommands(BackendControl control) {
        this.control = control;
    }

    @Override
    public String answer(String line) throws CommandException {
        String[] words =
                line.substring(Math.min(WORD.length(), line.length())).split(line.indexOf('\t') >= 0 ? "\t" : " ", -1);
        String verb = words[0];
        String[] arguments = Arrays.copyOfRange(words, 1, words.length);
        try {
            return switch (verb) {
                case "list" -> list(line, arguments);
                case "drain" -> leave(line, arguments, ServerMode.DRAINING);
                case "disable" -> leave(line, arguments, ServerMode.DISABLED);
                case "enable" -> enable(line, arguments) + "\n";
                case "weight" -> weight(line, arguments) + "\n";
                default -> throw unknown(line);
            };
        } catch (UnknownServerException | RefusedException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("this gateway has ended");
        }
    }

    private String list(String line, String[] arguments) throws CommandException {
        if (arguments.length == 0) {
            return BackendReport.table(control.statuses());
        }
        if (arguments.length == 1 && arguments[0].equals("json")) {
            return BackendReport.json(control.statuses());
        }
        throw unknown(line);
    }

    private String leave(String line, String[] arguments, ServerMode mode)
            throws CommandException, UnknownServerException, RefusedException, InterruptedException {
        if (arguments.length < 2 || arguments.length > 3) {
            throw unknown(line);
        }
        String answer = control.mode(arguments[0], arguments[1], mode);
        return (arguments.length == 2 ? answer : control.awaitIdle(arguments[0], arguments[1], arguments[2])) + "\n";
    }

    private String enable(String line, String[] arguments) throws CommandException, UnknownServerException {
        if (arguments.length != 2) {
            throw unknown(line);
        }
        return control.mode(arguments[0], arguments[1], ServerMode.ENABLED);
    }

    private String weight(String line, String[] arguments)
            throws CommandException, UnknownServerException, RefusedException {
        if (arguments.length != 3) {
            throw unknown(line);
        }
        return control.weight(arguments[0], arguments[1], arguments[2]);
    }

    private static CommandException unknown(String line) {
        return new CommandException("\"" + line.replace('\t', ' ') + "\" is no command; there are " + KNOWN);
    }
}
