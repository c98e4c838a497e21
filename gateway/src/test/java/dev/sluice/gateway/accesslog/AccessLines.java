package dev.sluice.gateway.accesslog;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.JsonSchema;

/** A reader of access logs, by a parser of YAML 1.2, of which JSON is a part, with the types of JSON. */
public final class AccessLines {
    private AccessLines() {}

    /** The lines of a file: each an object. */
    public static List<Map<String, Object>> of(Path file) throws IOException {
        List<Map<String, Object>> lines = new ArrayList<>();
        for (String line : Files.readAllLines(file, US_ASCII)) {
            lines.add(of(line));
        }
        return lines;
    }

    private static Map<String, Object> of(String line) {
        if (!line.startsWith("{\"") || !line.endsWith("}")) {
            throw new AssertionError("no object of JSON: " + line);
        }
        LoadSettings settings =
                LoadSettings.builder().setSchema(new JsonSchema()).build();
        Map<String, Object> read = new LinkedHashMap<>();
        ((Map<?, ?>) new Load(settings).loadFromString(line)).forEach((key, value) -> read.put((String) key, value));
        return read;
    }
}
