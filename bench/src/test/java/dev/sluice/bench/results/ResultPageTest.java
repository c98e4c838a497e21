package dev.sluice.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultPageTest {
    @Test
    void eachPlotHasItsFindingCommandAndNoise() {
        Runs run = new Runs(1, 0.01, 11)
                .control(1.02)
                .add("echo-1", Runs.OURS, Runs.COST, 5)
                .add("echo-1", Runs.PEER, Runs.COST, 10);
        String page = ResultPage.of(run.results(), Map.of("echo", "What does <b>it</b> cost?"));

        assertThat(page)
                .startsWith("<!DOCTYPE html>")
                .contains("What does &lt;b&gt;it&lt;/b&gt; cost?")
                .contains("<pre>./sluice bench echo</pre>")
                .contains("Ahead of nginx, the best peer: Sluice has 0.5")
                .contains("<a href=\"#echo\">echo</a>", "<h2 id=\"echo\">")
                .contains("Sluice is ahead in 1, behind in 0, without a difference beyond noise in 0;")
                .contains("Noise: a treatment differed from itself by 2.0 %")
                .contains("<dt>commit</dt><dd>abc</dd>")
                .contains("prefers-color-scheme: dark")
                .endsWith("</html>\n")
                .doesNotContain("http");
    }

    @Test
    void namesWhereSluiceIsBehind() {
        Runs run = new Runs(1, 0, 5).add("echo-1", Runs.OURS, Runs.COST, 10).add("echo-1", Runs.PEER, Runs.COST, 5);

        assertThat(ResultPage.of(run.results(), Map.of()))
                .contains("ahead in 0, behind in 1", "no peer. Behind in What it costs (echo).");
    }
}
