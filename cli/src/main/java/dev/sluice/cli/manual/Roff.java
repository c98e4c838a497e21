package dev.sluice.cli.manual;

/** A text in the macros of man(7); what is appended is escaped. */
final class Roff {
    private final StringBuilder text = new StringBuilder();
    private boolean belowHeading;

    /** Appends the title line: name, section, date, source and manual, which are not escaped. */
    void title(String... words) {
        macro("TH");
        for (String word : words) {
            text.append(" \"").append(word).append('"');
        }
        text.append('\n');
    }

    /** Starts a section. */
    Roff section(String heading) {
        macro("SH");
        text.append(' ').append(heading).append('\n');
        belowHeading = true;
        return this;
    }

    /** Starts an item of a list: its tag is the rest of the line, its description the next. */
    Roff item() {
        macro("TP");
        return newLine();
    }

    /** Appends a paragraph; the first below a heading needs no macro. */
    void paragraph(String words) {
        if (!belowHeading) {
            macro("PP");
            newLine();
        }
        belowHeading = false;
        text(words).newLine();
    }

    /** Appends lines that are shown as they are. */
    void literal(String lines) {
        macro("nf");
        text.append('\n').append(escaped(lines)).append("\n.fi\n");
    }

    /** Appends words. */
    Roff text(String words) {
        text.append(escaped(words));
        return this;
    }

    /** Appends words in bold. */
    Roff bold(String words) {
        text.append("\\fB").append(escaped(words)).append("\\fR");
        return this;
    }

    /** Appends words in italics. */
    Roff italic(String words) {
        text.append("\\fI").append(escaped(words)).append("\\fR");
        return this;
    }

    /** Ends the line. */
    Roff newLine() {
        text.append('\n');
        return this;
    }

    private void macro(String name) {
        text.append('.').append(name);
    }

    /**
     * A hyphen is a minus sign, to be copied; a line must not start with a dot or an apostrophe, which are commands.
     */
    private static String escaped(String words) {
        String escaped = words.replace("\\", "\\e")
                .replace("-", "\\-")
                .replace("\"", "\\(dq")
                .replace("'", "\\(aq")
                .replace("`", "\\(ga")
                .replace("^", "\\(ha")
                .replace("~", "\\(ti")
                .replace("…", "...");
        return escaped.startsWith(".") ? "\\&" + escaped : escaped;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
