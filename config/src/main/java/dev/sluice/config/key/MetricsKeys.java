package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.Group;
import dev.sluice.config.key.KeyType.Shape;
import dev.sluice.config.key.KeyType.Text;
import dev.sluice.config.key.KeyType.Texts;
import dev.sluice.config.key.KeyType.Time;
import dev.sluice.config.monitoring.OtlpConfig;
import java.time.Duration;
import java.util.List;

/** The keys of {@code metrics}. */
public final class MetricsKeys {
    public static final Key ENDPOINT = Key.required(
            "endpoint",
            new Text("an http or https address"),
            "http://127.0.0.1:4318",
            "Receiver of OTLP/HTTP; without a path `/v1/metrics` is added.");
    public static final ValueKey<Duration> INTERVAL = Key.of(
            "interval",
            new Time(Duration.ofSeconds(1), Duration.ofHours(1)),
            OtlpConfig.DEFAULT_INTERVAL,
            "Time from one push to the next.");
    public static final Key HEADERS = Key.optional(
            "headers",
            new Texts("`\"Name: value\"`"),
            "Headers of each request, such as `\"Authorization: Bearer ${TOKEN}\"`.");
    public static final SectionKeys OTLP_SECTION = new SectionKeys(
            "otlp",
            "metrics.otlp",
            "Push of metrics by OTLP",
            "See [Monitoring](guide/monitoring.md#push-metrics-by-otlp).",
            List.of(ENDPOINT, INTERVAL, HEADERS));

    public static final Key OTLP = Key.optional(
            "otlp",
            new Group(Shape.SECTION, OTLP_SECTION),
            "Push to a collector of OpenTelemetry, in addition to `/metrics` of the admin endpoint.");
    public static final SectionKeys SECTION = new SectionKeys(
            "metrics", "metrics", "Metrics", "What is pushed; [Metrics](metrics.md) lists all.", List.of(OTLP));

    private MetricsKeys() {}
}
