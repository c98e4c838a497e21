package dev.sluice.config.read;

import dev.sluice.config.key.MetricsKeys;
import dev.sluice.config.monitoring.OtlpConfig;
import dev.sluice.config.monitoring.OtlpConfig.Header;
import dev.sluice.config.yaml.Value;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The reader of {@code metrics}. */
final class OtlpReader {
    private static final String PATH = "/v1/metrics";

    /** A token and visible characters (RFC 9110, sections 5.1 and 5.5). */
    private static final Pattern HEADER =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([\\x21-\\x7e][\\x20-\\x7e\\t]*)");

    private OtlpReader() {}

    static @Nullable OtlpConfig read(@Nullable Value value) {
        Section metrics = value == null ? null : Section.of(value, MetricsKeys.SECTION);
        Value otlp = metrics == null ? null : metrics.find(MetricsKeys.OTLP);
        Section section = otlp == null ? null : Section.of(otlp, MetricsKeys.OTLP_SECTION);
        if (section == null) {
            return null;
        }
        Value where = section.require(MetricsKeys.ENDPOINT);
        URI endpoint = where == null ? null : endpoint(where);
        Duration interval = section.get(MetricsKeys.INTERVAL);
        List<Header> headers = headers(section.find(MetricsKeys.HEADERS));
        return endpoint == null ? null : new OtlpConfig(endpoint, interval, headers);
    }

    private static @Nullable URI endpoint(Value value) {
        String text = value.text();
        if (text == null) {
            return null;
        }
        try {
            URI endpoint = new URI(text);
            boolean isHttp = "http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme());
            if (isHttp
                    && endpoint.getHost() != null
                    && endpoint.getUserInfo() == null
                    && endpoint.getFragment() == null) {
                String path = endpoint.getRawPath();
                return path.isEmpty() || path.equals("/") ? endpoint.resolve(PATH) : endpoint;
            }
        } catch (URISyntaxException bad) {
            // reported below, like other addresses
        }
        value.problem("endpoint is \"" + text + "\"; write an http or https address, such as http://127.0.0.1:4318");
        return null;
    }

    private static List<Header> headers(@Nullable Value value) {
        List<Header> headers = new ArrayList<>();
        if (value == null) {
            return headers;
        }
        for (Value item : value.items()) {
            String text = item.text();
            Matcher header = HEADER.matcher(text == null ? "" : text);
            if (header.matches()) {
                item.means(header.group(1) + ": ***"); // values may be secrets
                headers.add(new Header(header.group(1), header.group(2)));
            } else if (text != null) {
                item.problem("headers: one of them is no header; write \"Name: value\" of visible ASCII characters");
            }
        }
        return headers;
    }
}
