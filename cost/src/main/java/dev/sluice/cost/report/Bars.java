package dev.sluice.cost.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Horizontal bars in HTML, which shrink on a phone while their text stays legible. */
final class Bars {
    private final List<Bar> bars = new ArrayList<>();

    /** One bar. */
    private record Bar(String name, double value, String text) {}

    /**
     * Adds a bar.
     *
     * @param text the value's text
     */
    void bar(String name, double value, String text) {
        bars.add(new Bar(name, value, text));
    }

    /** Returns the HTML of all bars; the longest fills the width. */
    String html() {
        if (bars.isEmpty()) {
            return "<p class=\"none\">not measured here</p>\n";
        }
        double most = bars.stream().mapToDouble(Bar::value).max().orElse(1);
        StringBuilder out = new StringBuilder("<dl class=\"bars\">\n");
        for (Bar bar : bars) {
            out.append(String.format(
                    Locale.ROOT,
                    "<dt>%s</dt><dd><i style=\"width:%.1f%%\"></i><b>%s</b></dd>%n",
                    Html.escape(bar.name),
                    most == 0 ? 0 : Math.max(0.3, bar.value / most * 72),
                    Html.escape(bar.text)));
        }
        return out.append("</dl>\n").toString();
    }
}
