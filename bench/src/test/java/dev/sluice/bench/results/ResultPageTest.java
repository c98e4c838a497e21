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
                .contains("Sluice is ahead of nginx, the best peer: 0.5")
                .contains("Noise: a treatment differed from itself by 2.0 %")
                .contains("<dt>commit</dt><dd>abc</dd>")
                .contains("prefers-color-scheme: dark")
                .endsWith("</html>\n")
                .doesNotContain("http");
    }
}
