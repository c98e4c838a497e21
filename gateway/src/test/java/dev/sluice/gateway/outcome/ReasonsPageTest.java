package dev.sluice.gateway.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.GeneratedPage;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.EndReason.Topic;
import dev.sluice.tls.failure.Fault;
import dev.sluice.tls.failure.TlsAlert;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page of reasons is generated from {@link EndReason} and {@link EndSide}. */
class ReasonsPageTest {
    private static final String INTRODUCTION = """
            # Why connections end

            <!-- Generated from EndReason: see CONTRIBUTING.md, "Generated pages". -->

            Each connection ends for one reason with a stable label: in the log, in the access log (`end`), and in the
            metric `sluice_connection_ends_total`. A label begins with the side that the end came from:

            """;

    private static final String FAULTS = """

            The metric `sluice_tls_handshake_failures_total` has the labels of handshakes without `handshake_`. A reason
            has the same label whether libssl or Sluice's own record layer found it.

            | fault | meaning | label `fault` of metrics |
            | --- | --- | --- |
            | peer | it broke the protocol or went away | `peer` |
            | mismatch | both sides are right, but share no version, suite, name or trust | `peer` |
            | environment | the network, the system or a limit: an operator can change it | `environment` |
            | gateway | an error of ours: please report it | `internal` |

            A failure of a backend counts as `environment`, whoever is to blame there.
            """;

    @Test
    void pageIsGeneratedFromTheCatalogue() throws IOException {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        page.append("| begins with | side |\n| --- | --- |\n");
        for (EndSide side : EndSide.values()) {
            page.append("| ")
                    .append(prefix(side))
                    .append(" | ")
                    .append(text(side))
                    .append(" |\n");
        }
        page.append(FAULTS);
        for (Topic topic : Topic.values()) {
            page.append("\n## ").append(heading(topic)).append("\n\n").append(note(topic));
            if (topic == Topic.ALERT) {
                shortTable(page, of(topic));
            } else {
                table(page, of(topic));
            }
        }
        GeneratedPage.check(Path.of("../docs/reasons.md"), page.toString());
    }

    /** Log lines are {@code event (cause); remedy}: each part a clause without an end of its own. */
    @ParameterizedTest
    @EnumSource
    void textsAreClauses(EndReason reason) {
        for (String text : List.of(reason.event(), reason.remedy())) {
            assertThat(text).doesNotContain("|", "\n").doesNotEndWith(".");
            assertThat(text.chars().filter(character -> character == '`').count() % 2)
                    .isZero();
        }
        assertThat(reason.event()).isNotEmpty();
        assertThat(reason.describe("cause")).contains(" (cause)").doesNotContain("`");
    }

    private static List<EndReason> of(Topic topic) {
        return Arrays.stream(EndReason.values())
                .filter(reason -> reason.topic() == topic)
                .toList();
    }

    private static void shortTable(StringBuilder page, List<EndReason> reasons) {
        page.append("| reason | fault |\n| --- | --- |\n");
        for (EndReason reason : reasons) {
            page.append("| `").append(reason.label()).append("` | ").append(text(reason.fault()));
            page.append(" |\n");
        }
    }

    private static void table(StringBuilder page, List<EndReason> reasons) {
        boolean alerts = reasons.stream().anyMatch(reason -> reason.alert() != null);
        page.append("| reason | fault | ").append(alerts ? "alert | " : "").append("event | remedy |\n");
        page.append("| --- | --- | ").append(alerts ? "--- | " : "").append("--- | --- |\n");
        for (EndReason reason : reasons) {
            page.append("| `").append(reason.label()).append("` | ").append(text(reason.fault()));
            if (alerts) {
                TlsAlert alert = reason.alert();
                page.append(" | ").append(alert == null ? "" : alert.label());
            }
            page.append(" | ")
                    .append(reason.event())
                    .append(" | ")
                    .append(reason.remedy())
                    .append(" |\n");
        }
    }

    private static String prefix(EndSide side) {
        return side.prefix().isEmpty() ? "nothing" : "`" + side.prefix() + "`";
    }

    private static String text(EndSide side) {
        return switch (side) {
            case GATEWAY -> "the gateway decided";
            case HANDSHAKE -> "the client, before its TLS handshake was complete";
            case CLIENT -> "the client, after the handshake";
            case BACKEND -> "the backend: its connect, or its connection";
            case BACKEND_HANDSHAKE -> "the backend, before its TLS handshake was complete; the server is the peer";
        };
    }

    private static String text(Fault fault) {
        return switch (fault) {
            case NONE -> "";
            case PEER_MISBEHAVED -> "peer";
            case PEER_INCOMPATIBLE -> "mismatch";
            case ENVIRONMENT -> "environment";
            case OURS -> "gateway";
        };
    }

    private static String heading(Topic topic) {
        return switch (topic) {
            case GATEWAY -> "Limits and decisions of the gateway";
            case NETWORK -> "Network";
            case HANDSHAKE -> "TLS handshake";
            case TLS -> "TLS at any time";
            case ALERT -> "Alerts from the peer";
        };
    }

    private static String note(Topic topic) {
        return switch (topic) {
            case GATEWAY -> """
                    More handshakes than the processors can do: see
                    [a storm](guide/limits.md#handshake-storms).

                    """;
            case NETWORK -> """
                    The message has the system's own error. Names are
                    [looked up again](guide/backends.md#dns-names-of-servers) while they have no address.

                    """;
            case HANDSHAKE, TLS -> """
                    The alert is the usual one that the other side is sent. The message has OpenSSL's own text
                    where OpenSSL found the failure.

                    """;
            case ALERT -> """
                    The peer ended the connection and named the reason by an alert (RFC 8446, section 6.2);
                    its own log has the details. An alert that no RFC names is `alert_received_unknown`;
                    the message has its number.

                    """;
        };
    }
}
