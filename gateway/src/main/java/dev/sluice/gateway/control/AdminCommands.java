package dev.sluice.gateway.control;

import dev.sluice.gateway.control.AdminSocket.CommandException;
import java.util.Map;

/** The commands of the admin socket, dispatched by the first word of a line. */
public final class AdminCommands implements AdminSocket.Commands {
    private final Map<String, AdminSocket.Commands> byWord;

    public AdminCommands(Map<String, AdminSocket.Commands> byWord) {
        this.byWord = Map.copyOf(byWord);
    }

    @Override
    public String answer(String line) throws CommandException {
        int space = line.indexOf(' ');
        AdminSocket.Commands commands = byWord.get(space < 0 ? line : line.substring(0, space));
        if (commands == null) {
            throw new CommandException("\"" + line + "\" is no command; there are "
                    + String.join(", ", byWord.keySet().stream().sorted().toList()));
        }
        return commands.answer(line);
    }
}
