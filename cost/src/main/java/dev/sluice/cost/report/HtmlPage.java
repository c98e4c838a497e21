package dev.sluice.cost.report;

import dev.sluice.cost.figures.CostException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A self-contained page for light and dark mode, readable on a phone: styles and drawings are inline. */
public final class HtmlPage {
    private final StringBuilder out = new StringBuilder();

    /** Creates a page with its title as heading. */
    public HtmlPage(String title) {
        out.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>")
                .append(Html.escape(title))
                .append("</title>\n<style>\n")
                .append(style())
                .append("</style>\n</head>\n<body>\n<main>\n");
        element("h1", title);
    }

    private static String style() {
        try (InputStream file = HtmlPage.class.getResourceAsStream("report.css")) {
            if (file == null) {
                throw new CostException("report.css is not in the module; build it again");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CostException("report.css cannot be read; build the module again", e);
        }
    }

    /** Appends an element that holds a text, such as {@code p}. */
    public void element(String tag, String text) {
        out.append('<')
                .append(tag)
                .append('>')
                .append(Html.escape(text))
                .append("</")
                .append(tag)
                .append(">\n");
    }

    /** Appends names and their texts. */
    public void facts(Map<String, String> facts) {
        out.append("<dl class=\"facts\">\n");
        facts.forEach((name, value) -> out.append("<dt>")
                .append(Html.escape(name))
                .append("</dt><dd>")
                .append(Html.escape(value))
                .append("</dd>\n"));
        out.append("</dl>\n");
    }

    /** Appends links to sections of the page, by their titles. */
    public void links(Collection<String> titles) {
        out.append("<nav>");
        titles.forEach(title -> out.append("<a href=\"#")
                .append(anchor(title))
                .append("\">")
                .append(Html.escape(title))
                .append("</a>\n"));
        out.append("</nav>\n");
    }

    private static String anchor(String title) {
        return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }

    /** Appends a heading and the paragraph below it. */
    public void section(String title, String text) {
        out.append("<h2 id=\"")
                .append(anchor(title))
                .append("\">")
                .append(Html.escape(title))
                .append("</h2>\n");
        element("p", text);
    }

    /** Appends a grid of cards: two columns, or one where the screen is narrow. */
    public void cards(Runnable cards) {
        out.append("<div class=\"grid2\">\n");
        cards.run();
        out.append("</div>\n");
    }

    /** Appends a card with a title. */
    public void card(String title, Runnable content) {
        out.append("<section>");
        element("h3", title);
        content.run();
        out.append("</section>\n");
    }

    /** Appends content that is shown on request. */
    public void details(String summary, Runnable content) {
        out.append("<details>");
        element("summary", summary);
        content.run();
        out.append("</details>\n");
    }

    /** Appends bars. */
    public void bars(Bars bars) {
        out.append(bars.html());
    }

    /** Appends a line chart. */
    void chart(Chart chart) {
        out.append(chart.html());
    }

    /** Appends a table; the first cell of each row is its heading. It scrolls by itself where it is too wide. */
    public void table(List<String> titles, List<List<String>> rows) {
        out.append("<div class=\"wide\"><table>\n<thead>");
        row(titles, "th");
        out.append("</thead>\n<tbody>\n");
        rows.forEach(cells -> row(cells, "td"));
        out.append("</tbody>\n</table></div>\n");
    }

    private void row(List<String> cells, String tag) {
        out.append("<tr>");
        for (int column = 0; column < cells.size(); column++) {
            String each = column == 0 ? "th" : tag;
            out.append('<').append(each).append('>').append(Html.escape(cells.get(column)));
            out.append("</").append(each).append('>');
        }
        out.append("</tr>\n");
    }

    /** Returns the page with its end. */
    public String html() {
        return out + "</main>\n</body>\n</html>\n";
    }
}
