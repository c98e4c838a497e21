package dev.sluice.cost.report;

/** Text escaping for HTML. */
final class Html {
    private Html() {}

    /** Returns the escaped text, also for attributes. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
