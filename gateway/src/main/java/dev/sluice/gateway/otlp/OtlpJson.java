package dev.sluice.gateway.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.config.json.Json;
import dev.sluice.gateway.metrics.Distribution;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSample;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.metrics.MetricType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JsonGenerator;

/**
 * Metric snapshots as ExportMetricsServiceRequest of OTLP 1, in JSON: integers of 64 bits are strings, enums are
 * numbers (OpenTelemetry's "OTLP Specification", section "JSON Protobuf Encoding"). Names are those of the catalogue.
 * All sums count since the start, so a request that is lost loses nothing.
 */
final class OtlpJson {
    /** AGGREGATION_TEMPORALITY_CUMULATIVE of metrics.proto. */
    private static final int CUMULATIVE = 2;

    private static final Map<String, String> UNITS = Map.of("_seconds", "s", "_bytes", "By", "_ratio", "1");

    private final Map<String, String> resource;
    private final String start;

    /**
     * Creates an encoder.
     *
     * @param resource the attributes of this process, such as {@code service.name}
     * @param start when the counting began
     */
    OtlpJson(Map<String, String> resource, Instant start) {
        this.resource = new TreeMap<>(resource);
        this.start = nanos(start);
    }

    byte[] encode(MetricSnapshot snapshot) {
        return Json.of(json -> request(json, snapshot)).getBytes(UTF_8);
    }

    private void request(JsonGenerator json, MetricSnapshot snapshot) {
        json.writeStartObject();
        json.writeArrayPropertyStart("resourceMetrics");
        json.writeStartObject();
        json.writeObjectPropertyStart("resource");
        json.writeArrayPropertyStart("attributes");
        resource.forEach((key, value) -> attribute(json, key, value));
        json.writeEndArray();
        json.writeEndObject();
        json.writeArrayPropertyStart("scopeMetrics");
        json.writeStartObject();
        json.writeObjectPropertyStart("scope");
        Json.text(json, "name", "dev.sluice.gateway");
        json.writeEndObject();
        json.writeArrayPropertyStart("metrics");
        for (Metric metric : Metric.values()) {
            List<MetricSample> samples = snapshot.samples(metric);
            if (!samples.isEmpty()) {
                metric(json, metric, samples, nanos(snapshot.time()));
            }
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
    }

    private void metric(JsonGenerator json, Metric metric, List<MetricSample> samples, String time) {
        json.writeStartObject();
        Json.text(json, "name", metric.id());
        Json.text(json, "description", metric.help());
        Json.text(json, "unit", unit(metric.id()));
        json.writeObjectPropertyStart(
                switch (metric.type()) {
                    case COUNTER -> "sum";
                    case GAUGE, INFO -> "gauge";
                    case HISTOGRAM -> "histogram";
                });
        if (metric.type() == MetricType.COUNTER || metric.type() == MetricType.HISTOGRAM) {
            json.writeNumberProperty("aggregationTemporality", CUMULATIVE);
        }
        if (metric.type() == MetricType.COUNTER) {
            json.writeBooleanProperty("isMonotonic", true);
        }
        json.writeArrayPropertyStart("dataPoints");
        samples.forEach(sample -> point(json, metric, sample, time));
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    private void point(JsonGenerator json, Metric metric, MetricSample sample, String time) {
        json.writeStartObject();
        json.writeArrayPropertyStart("attributes");
        for (int i = 0; i < metric.labels().size(); i++) {
            attribute(json, metric.labels().get(i), sample.labelValues().get(i));
        }
        json.writeEndArray();
        Json.text(json, "startTimeUnixNano", start);
        Json.text(json, "timeUnixNano", time);
        Distribution distribution = sample.distribution();
        if (distribution == null) {
            number(json, "asDouble", sample.value());
        } else {
            distribution(json, distribution);
        }
        json.writeEndObject();
    }

    /** Writes buckets with one more than there are bounds: the last has what is above all of them. */
    private static void distribution(JsonGenerator json, Distribution distribution) {
        Json.text(json, "count", Long.toString(distribution.count()));
        number(json, "sum", distribution.sum());
        json.writeArrayPropertyStart("explicitBounds");
        distribution.upperBounds().forEach(json::writeNumber);
        json.writeEndArray();
        long below = distribution.counts().stream().mapToLong(Long::longValue).sum();
        json.writeArrayPropertyStart("bucketCounts");
        distribution.counts().forEach(count -> json.writeString(Long.toString(count)));
        json.writeString(Long.toString(Math.max(0, distribution.count() - below)));
        json.writeEndArray();
    }

    private static void attribute(JsonGenerator json, String key, String value) {
        json.writeStartObject();
        Json.text(json, "key", key);
        json.writeObjectPropertyStart("value");
        Json.text(json, "stringValue", value);
        json.writeEndObject();
        json.writeEndObject();
    }

    /** Writes a double as ProtoJSON has it: what is no number is a text. */
    private static void number(JsonGenerator json, String name, double value) {
        if (Double.isFinite(value)) {
            json.writeNumberProperty(name, value);
        } else {
            Json.text(json, name, Double.toString(value));
        }
    }

    private static String unit(String id) {
        String name = id.replaceFirst("_total$", "");
        return UNITS.entrySet().stream()
                .filter(unit -> name.endsWith(unit.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    private static String nanos(Instant time) {
        return Long.toString(TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano());
    }
}
