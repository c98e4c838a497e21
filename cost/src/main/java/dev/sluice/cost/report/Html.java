package dev.sluice.cost.report;

/** Text within HTML. */
final class Html {
    private Html() {}

    /** Text that means itself, in attributes too. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
