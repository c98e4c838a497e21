package dev.sluice.cli.cost;

import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.plan.ScrapedMetrics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The source of a gateway's metrics: a file with one page, or a URL that is scraped twice. */
final class MetricsSource {
    private static final double USUAL_SECONDS = 10;
    private static final double MOST_SECONDS = 3600;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private MetricsSource() {}

    /**
     * Reads the metrics.
     *
     * @param source a path, or a URL that begins with {@code http}
     * @param seconds interval between the pages of a URL, or duration of a file's counters; null for the default
     * @throws CostException when they are unavailable
     */
    static ScrapedMetrics read(String source, @Nullable Double seconds) throws InterruptedException {
        if (seconds != null && !(seconds > 0 && seconds <= 1e9)) {
            throw new CostException("--seconds must be more than 0, not " + seconds);
        }
        return source.startsWith("http://") || source.startsWith("https://")
                ? ask(source, seconds == null ? USUAL_SECONDS : seconds)
                : file(Path.of(source), seconds);
    }

    private static ScrapedMetrics file(Path file, @Nullable Double seconds) {
        try {
            String page = Files.readString(file);
            if (seconds != null) {
                return ScrapedMetrics.since(page, file.toString(), seconds);
            }
            double made = Files.getLastModifiedTime(file).toMillis() / 1e3;
            return ScrapedMetrics.sinceStart(page, file.toString(), made);
        } catch (IOException e) {
            throw new CostException(
                    "--metrics: " + file + " cannot be read, cause: " + e + "; use a file with the output of /metrics",
                    e);
        }
    }

    private static ScrapedMetrics ask(String url, double seconds) throws InterruptedException {
        if (seconds > MOST_SECONDS) {
            throw new CostException("--seconds must be at most " + (long) MOST_SECONDS + " for a URL, not " + seconds);
        }
        try (HttpClient client =
                HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            long begin = System.nanoTime();
            String first = page(client, url);
            Thread.sleep(Duration.ofMillis((long) (seconds * 1e3)));
            double passed = (System.nanoTime() - begin) / 1e9;
            return ScrapedMetrics.between(first, page(client, url), passed);
        }
    }

    private static String page(HttpClient client, String url) throws InterruptedException {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE).build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new CostException("--metrics: " + url + " answers " + response.statusCode()
                        + "; check that it is a gateway's /metrics and reachable");
            }
            return response.body();
        } catch (IOException | IllegalArgumentException e) {
            throw new CostException(
                    "--metrics: " + url + " cannot be asked, cause: " + e
                            + "; check that the gateway runs with admin.address",
                    e);
        }
    }
}
