package dev.sluice.cost.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Horizontal bars in HTML, which shrink on a phone while their text stays legible. */
public final class Bars {
    private final List<Bar> bars = new ArrayList<>();

    /** Creates no bars. */
    public Bars() {}

    /** The colours of bars, which are the page's for light and dark mode. */
    public enum Colour {
        /** The colour of what is measured. */
        SUBJECT("var(--c3)"),
        /** The colour of what it is compared with. */
        PEER("var(--c1)"),
        /** The colour of a bound. */
        BOUND("var(--soft)");

        private final String css;

        Colour(String css) {
            this.css = css;
        }
    }

    /** One bar. */
    private record Bar(String name, double value, String text, Colour colour) {}

    /**
     * Adds a bar.
     *
     * @param text the value's text
     */
    void bar(String name, double value, String text) {
        bar(name, value, text, Colour.SUBJECT);
    }

    /**
     * Adds a bar of a colour.
     *
     * @param text the value's text
     */
    public void bar(String name, double value, String text, Colour colour) {
        bars.add(new Bar(name, value, text, colour));
    }

    /** Returns the HTML of all bars; the longest fills the width, except for the room of its text. */
    String html() {
        if (bars.isEmpty()) {
            return "<p class=\"none\">not measured here</p>\n";
        }
        double most = bars.stream().mapToDouble(Bar::value).max().orElse(1);
        StringBuilder out = new StringBuilder("<dl class=\"bars\">\n");
        for (Bar bar : bars) {
            out.append(String.format(
                    Locale.ROOT,
                    "<dt>%s</dt><dd><i style=\"width:calc((100%% - 112px) * %.4f);background:%s\"></i><b>%s</b></dd>%n",
                    Html.escape(bar.name),
                    most <= 0 ? 0 : bar.value / most,
                    bar.colour.css,
                    Html.escape(bar.text)));
        }
        return out.append("</dl>\n").toString();
    }
}
