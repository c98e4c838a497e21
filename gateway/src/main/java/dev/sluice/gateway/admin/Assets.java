package dev.sluice.gateway.admin;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The dashboard's files, which lie beside this class. They tell nothing of a gateway. */
final class Assets {
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";

    private static final Map<String, Asset> BY_PATH = Map.of(
            "/", new Asset("dashboard.html", "text/html; charset=utf-8"),
            "/dashboard.css", new Asset("dashboard.css", STYLE),
            "/dashboard.js", new Asset("dashboard.js", SCRIPT),
            "/charts.js", new Asset("charts.js", SCRIPT),
            "/stream.js", new Asset("stream.js", SCRIPT),
            "/uplot.js", new Asset("uplot/uPlot.iife.min.js", SCRIPT),
            "/uplot.css", new Asset("uplot/uPlot.min.css", STYLE),
            "/icon.svg", new Asset("icon.svg", "image/svg+xml"));

    private Assets() {}

    /** A file, and how it is labelled. */
    record Asset(String file, String type) {
        byte[] content() throws IOException {
            try (InputStream input = Assets.class.getResourceAsStream(file)) {
                if (input == null) {
                    throw new IllegalStateException("the gateway's jar lacks " + file);
                }
                return input.readAllBytes();
            }
        }
    }

    /** Returns the asset at a path; null when there is none. */
    static @Nullable Asset at(String path) {
        return BY_PATH.get(path);
    }
}
