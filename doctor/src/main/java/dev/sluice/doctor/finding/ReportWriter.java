package dev.sluice.doctor.finding;

import dev.sluice.config.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A writer of reports as text, as JSON, and as JUnit's XML for pipelines. */
public final class ReportWriter {
    private static final int KEY_COLUMN = 30;
    private static final String INDENT = "    ";

    private ReportWriter() {}

    /** Returns the text for people: first the findings, then all observations. */
    public static String text(DoctorReport report) {
        StringBuilder out = new StringBuilder();
        out.append(report.subject()).append(": ").append(summary(report)).append('\n');
        report.findings().forEach(finding -> describe(finding, out));
        report.facts().sections().forEach((section, facts) -> {
            out.append('\n').append(clean(section)).append('\n');
            facts.forEach((key, value) -> out.append("  ")
                    .append(padded(key))
                    .append(clean(Facts.text(value)))
                    .append('\n'));
        });
        return out.toString();
    }

    private static String summary(DoctorReport report) {
        if (report.findings().isEmpty()) {
            return "nothing found" + connections(report);
        }
        List<String> counts = new ArrayList<>();
        for (Severity severity : List.of(Severity.FAULT, Severity.WARNING, Severity.NOTE)) {
            long count = report.findings().stream()
                    .filter(finding -> finding.severity() == severity)
                    .count();
            if (count > 0) {
                counts.add(count + " " + word(severity) + (count > 1 ? "s" : ""));
            }
        }
        return String.join(", ", counts) + connections(report);
    }

    private static String connections(DoctorReport report) {
        return report.connections() == 0 ? "" : " (" + report.connections() + " connections)";
    }

    private static void describe(Finding finding, StringBuilder out) {
        FindingKind kind = finding.kind();
        out.append('\n').append(word(kind.severity())).append(": ").append(kind.title());
        out.append(" [").append(kind.id()).append("]\n");
        out.append(INDENT).append(clean(finding.figure())).append('\n');
        out.append(INDENT).append(kind.why()).append('\n');
        FindingKind.Remedy remedy = kind.remedy();
        if (remedy.isElsewhere()) {
            out.append(INDENT).append("remedy   ").append(remedy.nginx()).append('\n');
        } else {
            out.append(INDENT).append("nginx    ").append(remedy.nginx()).append('\n');
            out.append(INDENT).append("HAProxy  ").append(remedy.haproxy()).append('\n');
            out.append(INDENT).append("Sluice   ").append(remedy.sluice()).append('\n');
        }
    }

    private static String word(Severity severity) {
        return severity.name().toLowerCase(Locale.ROOT);
    }

    private static String padded(String key) {
        return clean(key) + " ".repeat(Math.max(1, KEY_COLUMN - key.length()));
    }

    /** Removes control characters: a server's text must not move the cursor. */
    private static String clean(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> out.appendCodePoint(
                        Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c));
        return out.toString();
    }

    /** Returns one JSON document. */
    public static String json(DoctorReport report) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("subject", report.subject());
        document.put("severity", word(report.severity()));
        document.put("connections", report.connections());
        document.put(
                "findings", report.findings().stream().map(ReportWriter::toMap).toList());
        document.put("facts", report.facts().sections());
        return Json.document(document);
    }

    private static Map<String, Object> toMap(Finding finding) {
        FindingKind kind = finding.kind();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", kind.id());
        map.put("severity", word(kind.severity()));
        map.put("title", kind.title());
        map.put("figure", finding.figure());
        map.put("why", kind.why());
        Map<String, Object> remedy = new LinkedHashMap<>();
        remedy.put("nginx", kind.remedy().nginx());
        remedy.put("haproxy", kind.remedy().haproxy());
        remedy.put("sluice", kind.remedy().sluice());
        map.put("remedy", remedy);
        return map;
    }

    /** Returns JUnit's XML: a test case for each kind of finding, which fails for a warning or a fault. */
    public static String junit(DoctorReport report) {
        StringBuilder cases = new StringBuilder();
        List<FindingKind> kinds = Arrays.stream(FindingKind.values())
                .filter(kind -> kind.isLocal() == report.local())
                .toList();
        int failures = 0;
        for (FindingKind kind : kinds) {
            Finding finding = report.findings().stream()
                    .filter(each -> each.kind() == kind)
                    .findFirst()
                    .orElse(null);
            cases.append("  <testcase classname=\"")
                    .append(xml(report.subject()))
                    .append("\" name=\"")
                    .append(kind.id())
                    .append('"');
            if (finding == null) {
                cases.append("/>\n");
            } else if (finding.severity().compareTo(Severity.WARNING) >= 0) {
                failures++;
                String message = xml(kind.title() + ": " + finding.figure());
                cases.append(">\n    <failure message=\"").append(message).append("\" type=\"");
                cases.append(word(kind.severity())).append("\">").append(xml(kind.why()));
                cases.append("</failure>\n  </testcase>\n");
            } else {
                cases.append(">\n    <system-out>").append(xml(kind.title() + ": " + finding.figure()));
                cases.append("</system-out>\n  </testcase>\n");
            }
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"sluice doctor "
                + xml(report.subject()) + "\" tests=\"" + kinds.size() + "\" failures=\"" + failures
                + "\">\n" + cases + "</testsuite>\n";
    }

    private static String xml(String text) {
        return clean(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
