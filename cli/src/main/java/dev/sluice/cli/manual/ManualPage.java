package dev.sluice.cli.manual;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The manual page of one command, in the macros of man(7). What the command's help says is all that it says, so that
 * the two never differ.
 */
final class ManualPage {
    private static final String SECTION = "1";
    private static final String EXIT_CODE = "Exit code: ";

    private final CommandLine command;
    private final CommandSpec spec;
    private final LocalDate date;

    ManualPage(CommandLine command, LocalDate date) {
        this.command = command;
        this.spec = command.getCommandSpec();
        this.date = date;
    }

    /** Returns the page's name: {@code sluice-tickets-rotate} for the command {@code sluice tickets rotate}. */
    String name() {
        return nameOf(spec);
    }

    private static String nameOf(CommandSpec spec) {
        return spec.qualifiedName("-");
    }

    /** Returns the page's text. */
    String text() {
        Roff roff = new Roff();
        roff.title(name().toUpperCase(Locale.ROOT), SECTION, date.toString(), "Sluice", "Sluice Manual");
        roff.section("NAME").text(name() + " - ").text(summary()).newLine();
        roff.section("SYNOPSIS").literal(command.getHelp().synopsis(0).strip());
        List<String> description = paragraphs(spec.usageMessage().description());
        if (!description.isEmpty()) {
            roff.section("DESCRIPTION");
            description.forEach(roff::paragraph);
        }
        arguments(roff);
        subcommands(roff);
        notes(roff);
        seeAlso(roff);
        return roff.toString();
    }

    /** The first sentence of the description, without its full stop. */
    private String summary() {
        String first = paragraphs(spec.usageMessage().description()).getFirst();
        int end = first.indexOf(". ");
        return (end < 0 ? first : first.substring(0, end)).replaceAll("\\.$", "");
    }

    private void arguments(Roff roff) {
        List<OptionSpec> options =
                spec.options().stream().filter(option -> !option.hidden()).toList();
        List<? extends ArgSpec> parameters = spec.positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .toList();
        if (!parameters.isEmpty()) {
            roff.section("ARGUMENTS");
            parameters.forEach(each -> roff.item()
                    .italic(each.paramLabel())
                    .newLine()
                    .text(sentence(each.description()))
                    .newLine());
        }
        if (!options.isEmpty()) {
            roff.section("OPTIONS");
            options.forEach(each -> option(roff, each));
        }
    }

    private static void option(Roff roff, OptionSpec option) {
        roff.item();
        String separator = "";
        for (String name : option.names()) {
            roff.text(separator).bold(name);
            separator = ", ";
        }
        if (option.arity().max() > 0) {
            roff.text("=").italic(option.paramLabel());
        }
        roff.newLine().text(sentence(option.description())).newLine();
    }

    private void subcommands(Roff roff) {
        if (command.getSubcommands().isEmpty()) {
            return;
        }
        roff.section("COMMANDS");
        command.getSubcommands()
                .forEach((name, subcommand) -> roff.item()
                        .bold(nameOf(subcommand.getCommandSpec()))
                        .text("(" + SECTION + ")")
                        .newLine()
                        .text(sentence(
                                subcommand.getCommandSpec().usageMessage().description()))
                        .newLine());
    }

    /** Writes the text below the options of the help; exit codes have a section of their own. */
    private void notes(Roff roff) {
        List<String> footer = paragraphs(spec.usageMessage().footer());
        List<String> notes =
                footer.stream().filter(each -> !each.startsWith(EXIT_CODE)).toList();
        if (!notes.isEmpty()) {
            roff.section("NOTES");
            notes.forEach(roff::paragraph);
        }
        footer.stream()
                .filter(each -> each.startsWith(EXIT_CODE))
                .forEach(each -> roff.section("EXIT STATUS").paragraph(each.substring(EXIT_CODE.length())));
    }

    private void seeAlso(Roff roff) {
        CommandSpec parent = spec.parent();
        if (parent != null) {
            roff.section("SEE ALSO")
                    .bold(nameOf(parent))
                    .text("(" + SECTION + ")")
                    .newLine();
        }
    }

    private static List<String> paragraphs(String[] lines) {
        List<String> paragraphs = new ArrayList<>();
        for (String line : lines) {
            String text = plain(line);
            if (!text.isEmpty()) {
                paragraphs.add(text);
            }
        }
        return paragraphs;
    }

    private static String sentence(String[] lines) {
        return Arrays.stream(lines)
                .map(ManualPage::plain)
                .collect(Collectors.joining(" "))
                .strip();
    }

    /** A line of a description as the help shows it: without markup, with its per cent signs. */
    private static String plain(String line) {
        return Ansi.OFF.string(String.format(Locale.ROOT, line)).strip();
    }
}
