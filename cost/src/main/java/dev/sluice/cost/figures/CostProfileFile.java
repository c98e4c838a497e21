package dev.sluice.cost.figures;

import dev.sluice.config.json.Json;
import dev.sluice.config.json.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The file format of a measurement, which {@code sluice cost plan}, {@code sluice doctor} and {@code sluice check}
 * read.
 *
 * <pre>{@code
 * {
 *   "format": "sluice-cost/1",
 *   "facts": {"CPU": "…", "OpenSSL": "…"},
 *   "figures": {
 *     "asymmetric/rsa-2048/sign": {"unit": "us", "median": 246.1, "low": 245.2, "high": 247.9, "rounds": 15},
 *     …
 *   }
 * }
 * }</pre>
 */
public final class CostProfileFile {
    /** The format marker in the file. */
    public static final String FORMAT = "sluice-cost/1";

    private static final String REMEDY = "; measure again with: sluice cost";

    private CostProfileFile() {}

    /**
     * Returns the default file: {@code sluice/cost.json} in {@code XDG_CACHE_HOME}, else in {@code ~/.cache}. The home
     * is that of {@code HOME}, as for a shell's {@code ~}; the JDK takes the user's from the password file.
     */
    public static Path usual() {
        return usual(System.getenv(), System.getProperty("user.home"));
    }

    static Path usual(Map<String, String> environment, String home) {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        String shells = environment.getOrDefault("HOME", "");
        Path base = cache.isEmpty() ? Path.of(shells.isEmpty() ? home : shells, ".cache") : Path.of(cache);
        return base.resolve("sluice").resolve("cost.json").toAbsolutePath();
    }

    /** Returns the JSON text. */
    public static String text(CostProfile profile) {
        Map<String, Object> figures = new LinkedHashMap<>();
        for (Figure figure : profile.figures()) {
            figures.put(figure.name(), figure(figure));
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("format", FORMAT);
        all.put("facts", profile.facts());
        all.put("figures", figures);
        return Json.document(all);
    }

    private static Map<String, Object> figure(Figure figure) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("unit", figure.unit().code());
        members.put("median", figure.estimate().median());
        members.put("low", figure.estimate().low());
        members.put("high", figure.estimate().high());
        members.put("rounds", figure.estimate().rounds());
        return members;
    }

    /**
     * Writes the file atomically, and creates its directories.
     *
     * @throws CostException when it cannot be written
     */
    public static void write(CostProfile profile, Path file) {
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            Path next = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(next, text(profile));
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new CostException("cannot write " + file + ", cause: " + e + "; use another file", e);
        }
    }

    /**
     * Reads a file.
     *
     * @throws CostException when it is missing, malformed, or of another format, with value, cause and remedy
     */
    public static CostProfile read(Path file) {
        try {
            return parse(Files.readString(file), file.toString());
        } catch (NoSuchFileException e) {
            throw new CostException("no measurement: " + file + " does not exist; measure with: sluice cost", e);
        } catch (IOException e) {
            throw new CostException("cannot read " + file + ", cause: " + e + REMEDY, e);
        }
    }

    /**
     * Parses the text of a file.
     *
     * @param name the name in messages
     */
    public static CostProfile parse(String text, String name) {
        try {
            Map<?, ?> all = map(JsonReader.read(text), "the whole");
            if (!FORMAT.equals(all.get("format"))) {
                throw new IllegalArgumentException("format is " + all.get("format") + ", not " + FORMAT);
            }
            Map<String, String> facts = new LinkedHashMap<>();
            map(all.get("facts"), "facts").forEach((key, value) -> facts.put(key.toString(), String.valueOf(value)));
            List<Figure> figures = new ArrayList<>();
            map(all.get("figures"), "figures").forEach((key, value) -> figures.add(figure(key.toString(), value)));
            return new CostProfile(facts, figures);
        } catch (IllegalArgumentException e) {
            throw new CostException(
                    name + " is not a measurement of sluice cost: "
                            + String.valueOf(e.getMessage()).strip() + REMEDY,
                    e);
        }
    }

    private static Figure figure(String name, @Nullable Object value) {
        Map<?, ?> members = map(value, name);
        Estimate estimate = new Estimate(
                number(members, name, "median"), number(members, name, "low"), number(members, name, "high"), (int)
                        number(members, name, "rounds"));
        return new Figure(name, Figure.Unit.of(String.valueOf(members.get("unit"))), estimate);
    }

    private static double number(Map<?, ?> members, String name, String member) {
        if (members.get(member) instanceof Number number) {
            return number.doubleValue();
        }
        throw new IllegalArgumentException(name + " has no number " + member);
    }

    /** Checks that a value is a map. */
    private static Map<?, ?> map(@Nullable Object value, String what) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new IllegalArgumentException(what + " is not an object");
    }
}
