package dev.sluice.gateway.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * A configuration as it stood in its file and in those that it includes, at one moment: YAML, of which nothing else has been
 * checked. Immutable, so that it can be read again when only a certificate has changed, whatever has become of the files.
 */
public final class ConfigSource {
    static final String INCLUDE = "include";

    private static final Pattern WILDCARD = Pattern.compile("[*?\\[{]");

    private final Path path;
    private final List<Part> parts;
    /** Composed when it was read. For whoever asks first: kept, it would take many times what the text does. */
    private final AtomicReference<@Nullable Node> composed;

    private ConfigSource(Path path, List<Part> parts, Node root) {
        this.path = path;
        this.parts = List.copyOf(parts);
        this.composed = new AtomicReference<>(root);
    }

    /** One of its files, and what stood there. */
    private record Part(Path file, String text) {
        /** @return null when there is nothing in it */
        @Nullable
        Node compose() {
            LoadSettings settings =
                    LoadSettings.builder().setLabel(file.toString()).build();
            ParserImpl parser = new ParserImpl(settings, new StreamReader(settings, text));
            return new Composer(settings, parser).getSingleNode().orElse(null);
        }
    }

    /**
     * Reads a file, and what it includes.
     *
     * @param path as the user named it
     * @throws ConfigException when a file cannot be read or is no YAML
     */
    public static ConfigSource read(Path path) throws ConfigException {
        return new Loader(path, Environment.ofProcess()).load();
    }

    /** The configuration's file, as the user named it. */
    public Path path() {
        return path;
    }

    /** The files that it stands in, the configuration's own first. */
    public List<Path> files() {
        return parts.stream().map(Part::file).toList();
    }

    Node root() {
        Node first = composed.getAndSet(null);
        return first != null
                ? first
                : MergedRoot.of(parts.stream()
                        .map(Part::compose)
                        .filter(Objects::nonNull)
                        .toList());
    }

    /** Where relative paths start. */
    Path directory() {
        return Objects.requireNonNullElse(path.toAbsolutePath().getParent(), Path.of("/"));
    }

    /** Reads the files of one configuration. */
    private static final class Loader {
        private final Path path;
        private final Reading reading;
        private final Problems problems;
        private final List<Part> files = new ArrayList<>();

        Loader(Path path, Environment environment) {
            this.path = path;
            this.problems = new Problems(path.toString());
            this.reading = new Reading(problems, environment, HostLookup.SYSTEM);
        }

        ConfigSource load() throws ConfigException {
            Node main = compose(path, "check the path after --config");
            if (main == null && problems.isEmpty()) {
                problems.addToFile("the file is empty; it needs at least listeners, certificates and backends");
            }
            if (main == null) {
                throw problems.exception();
            }
            List<Node> roots = new ArrayList<>(List.of(main));
            Value include = includeOf(main);
            if (include != null) {
                include.items().forEach(item -> includeAll(item, roots));
            }
            problems.throwIfAny();
            return new ConfigSource(path, files, MergedRoot.of(roots));
        }

        private @Nullable Value includeOf(Node main) {
            NodeTuple tuple = includeTuple(main);
            return tuple == null ? null : new Value(reading, tuple.getValueNode(), INCLUDE);
        }

        private static @Nullable NodeTuple includeTuple(Node part) {
            if (part instanceof MappingNode mapping) {
                for (NodeTuple tuple : mapping.getValue()) {
                    if (tuple.getKeyNode() instanceof ScalarNode key
                            && key.getValue().equals(INCLUDE)) {
                        return tuple;
                    }
                }
            }
            return null;
        }

        private void includeAll(Value item, List<Node> roots) {
            for (Path file : filesOf(item)) {
                Node part = compose(file, "check the path after include at " + item.place());
                NodeTuple further = part == null ? null : includeTuple(part);
                if (further != null) {
                    problems.add(
                            further.getKeyNode(),
                            "an included file cannot include others; name them in " + path + ", under include");
                } else if (part instanceof MappingNode) {
                    roots.add(part);
                } else if (part != null) {
                    problems.add(part, "an included file holds sections such as listeners, certificates and backends");
                }
            }
        }

        /** Beside the configuration's own file, and named as that one is. */
        private List<Path> filesOf(Value item) {
            String text = item.text();
            if (text == null) {
                return List.of();
            }
            try {
                if (!WILDCARD.matcher(text).find()) {
                    return List.of(path.resolveSibling(text));
                }
                int slash = text.lastIndexOf('/');
                Path directory = path.resolveSibling(text.substring(0, slash + 1));
                return matching(item, directory, text.substring(slash + 1));
            } catch (InvalidPathException invalid) {
                item.problem("include \"" + text + "\" is no path: " + invalid.getReason());
                return List.of();
            }
        }

        private List<Path> matching(Value item, Path directory, String pattern) {
            if (WILDCARD.matcher(directory.toString()).find()) {
                item.problem("include has a wildcard in \"" + directory
                        + "\"; only the last part of the path may have some, as in conf.d/*.yaml");
                return List.of();
            }
            Path listed = directory.toString().isEmpty() ? Path.of(".") : directory;
            PathMatcher matcher = listed.getFileSystem().getPathMatcher("glob:" + pattern);
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(listed, entry -> {
                Path name = entry.getFileName();
                return !name.toString().startsWith(".") && matcher.matches(name);
            })) {
                List<Path> found = new ArrayList<>();
                entries.forEach(entry -> found.add(directory.resolve(entry.getFileName())));
                return found.stream()
                        .filter(file -> !file.equals(path))
                        .sorted()
                        .toList();
            } catch (IOException | DirectoryIteratorException unreadable) {
                item.problem(
                        "include: the directory " + listed + " cannot be read (" + unreadable
                                + "); make it, and let user " + System.getProperty("user.name") + " read it",
                        kind(unreadable));
                return List.of();
            }
        }

        private static ProblemKind kind(Exception unreadable) {
            Throwable cause = unreadable instanceof DirectoryIteratorException ? unreadable.getCause() : unreadable;
            return cause instanceof IOException io ? ProblemKind.of(io) : ProblemKind.PERMANENT;
        }

        /** The YAML in a file; null when there is none, or when that is reported. */
        private @Nullable Node compose(Path file, String remedyWhenMissing) {
            String text = text(file, remedyWhenMissing);
            if (text == null) {
                return null;
            }
            Part part = new Part(file, text);
            files.add(part);
            try {
                return part.compose();
            } catch (MarkedYamlEngineException broken) {
                problems.add(broken.getProblemMark(), "not valid YAML: " + broken.getProblem());
            } catch (YamlEngineException broken) {
                problems.addToFile(file.toString(), "not valid YAML: " + broken.getMessage());
            }
            return null;
        }

        private @Nullable String text(Path file, String remedyWhenMissing) {
            String name = file.toString();
            try {
                return Files.readString(file);
            } catch (NoSuchFileException missing) {
                problems.addToFile(name, "there is no such file; " + remedyWhenMissing, ProblemKind.TRANSIENT);
            } catch (CharacterCodingException binary) {
                problems.addToFile(name, "the file is not UTF-8 text; save it as UTF-8");
            } catch (IOException unreadable) {
                problems.addToFile(
                        name,
                        "the file cannot be read: " + unreadable + "; name a file that user "
                                + System.getProperty("user.name") + " may read",
                        ProblemKind.of(unreadable));
            }
            return null;
        }
    }
}
