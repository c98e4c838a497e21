package dev.sluice.cli.manual;

import dev.sluice.cli.SluiceCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import picocli.AutoComplete;
import picocli.CommandLine;

/** The program that writes a manual page for each command, and completions for bash and zsh, when packages are made. */
public final class ManualWriter {
    private static final String PROGRAM = "sluice";

    /** zsh runs bash's completions by a module of its own. */
    private static final String ZSH_HEADER = """
            #compdef sluice
            autoload -U +X bashcompinit && bashcompinit
            """;

    private final Path directory;
    private final LocalDate date;

    private ManualWriter(Path directory, LocalDate date) {
        this.directory = directory;
        this.date = date;
    }

    /** Writes the files below the directory of the first argument; the second is the date that the pages carry. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException("expected a directory and a date such as 2026-11-21");
        }
        new ManualWriter(Path.of(arguments[0]), LocalDate.parse(arguments[1])).write();
    }

    private void write() throws IOException {
        CommandLine sluice = SluiceCommand.line();
        writePages(sluice, Files.createDirectories(directory.resolve("man/man1")));
        String completion = AutoComplete.bash(PROGRAM, sluice);
        Files.writeString(
                Files.createDirectories(directory.resolve("bash-completion/completions"))
                        .resolve(PROGRAM),
                completion);
        Files.writeString(
                Files.createDirectories(directory.resolve("zsh/site-functions")).resolve("_" + PROGRAM),
                ZSH_HEADER + completion + "_complete_" + PROGRAM + "\n");
    }

    private void writePages(CommandLine command, Path pages) throws IOException {
        ManualPage page = new ManualPage(command, date);
        Files.writeString(pages.resolve(page.name() + ".1"), page.text());
        for (CommandLine subcommand : command.getSubcommands().values()) {
            writePages(subcommand, pages);
        }
    }
}
