package dev.sluice.config.read;

import dev.sluice.config.key.KeyType.Shape;
import dev.sluice.config.key.TopKeys;
import dev.sluice.config.yaml.BoundedParser;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.config.yaml.Environment;
import dev.sluice.config.yaml.HostLookup;
import dev.sluice.config.yaml.MergedRoot;
import dev.sluice.config.yaml.ProblemKind;
import dev.sluice.config.yaml.Problems;
import dev.sluice.config.yaml.Reading;
import dev.sluice.config.yaml.Value;
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
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * The contents of a configuration file and of those that it includes, at one moment: YAML, otherwise unchecked.
 * Immutable, so that it can be read again when only a certificate has changed, whatever the files contain by then.
 */
public final class ConfigSource {
    private static final Pattern WILDCARD = Pattern.compile("[*?\\[{]");

    private final Path path;
    private final List<Part> parts;
    /** The nodes of the first read, for the first caller: kept, they would take many times the memory of the text. */
    private final AtomicReference<@Nullable Node> composed;

    private ConfigSource(Path path, List<Part> parts, Node root) {
        this.path = path;
        this.parts = List.copyOf(parts);
        this.composed = new AtomicReference<>(root);
    }

    /** A file and its contents. */
    private record Part(Path file, String text) {
        /** Returns the root node; null when the file is empty. */
        @Nullable
        Node compose() {
            LoadSettings settings =
                    LoadSettings.builder().setLabel(file.toString()).build();
            return BoundedParser.composer(settings, text).getSingleNode().orElse(null);
        }
    }

    /**
     * Reads a file, and the files that it includes.
     *
     * @param path as the user named it
     * @throws ConfigException when a file cannot be read or is not YAML
     */
    public static ConfigSource read(Path path) throws ConfigException {
        return new Loader(path, Environment.ofProcess()).load();
    }

    /** Returns the configuration file, as the user named it. */
    public Path path() {
        return path;
    }

    /** Returns all files, the configuration's own first. */
    List<Path> files() {
        return parts.stream().map(Part::file).toList();
    }

    public Node root() {
        Node first = composed.getAndSet(null);
        return first != null
                ? first
                : merged(parts.stream()
                        .map(Part::compose)
                        .filter(Objects::nonNull)
                        .toList());
    }

    private static Node merged(List<Node> roots) {
        return MergedRoot.of(roots, TopKeys.SECTION.names(Shape.LIST), TopKeys.SECTION.names(Shape.NAMED));
    }

    /** Returns the directory that relative paths start at. */
    Path directory() {
        return Objects.requireNonNullElse(path.toAbsolutePath().getParent(), Path.of("/"));
    }

    /** The reading of the files of one configuration. */
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
            return new ConfigSource(path, files, merged(roots));
        }

        private @Nullable Value includeOf(Node main) {
            NodeTuple tuple = includeTuple(main);
            return tuple == null ? null : new Value(reading, tuple.getValueNode(), TopKeys.INCLUDE.name());
        }

        private static @Nullable NodeTuple includeTuple(Node part) {
            if (part instanceof MappingNode mapping) {
                for (NodeTuple tuple : mapping.getValue()) {
                    if (tuple.getKeyNode() instanceof ScalarNode key
                            && key.getValue().equals(TopKeys.INCLUDE.name())) {
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
                    problems.add(part, "an included file must have sections such as listeners, certificates, backends");
                }
            }
        }

        /** Returns the files that an item of {@code include} names, relative to the configuration's own. */
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
                item.problem("include \"" + text + "\" is not a path: " + invalid.getReason());
                return List.of();
            }
        }

        private List<Path> matching(Value item, Path directory, String pattern) {
            if (WILDCARD.matcher(directory.toString()).find()) {
                item.problem("include has a wildcard in \"" + directory
                        + "\"; only the last part of the path may have one, as in conf.d/*.yaml");
                return List.of();
            }
            Path listed = directory.toString().isEmpty() ? Path.of(".") : directory;
            PathMatcher matcher;
            try {
                matcher = listed.getFileSystem().getPathMatcher("glob:" + pattern);
            } catch (PatternSyntaxException malformed) {
                item.problem("include \"" + pattern + "\" is not a pattern (" + malformed.getDescription()
                        + "); close each [ and {, or write \\\\[ for the character itself");
                return List.of();
            }
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
                                + "); create it, and let user " + System.getProperty("user.name") + " read it",
                        kind(unreadable));
                return List.of();
            }
        }

        private static ProblemKind kind(Exception unreadable) {
            Throwable cause = unreadable instanceof DirectoryIteratorException ? unreadable.getCause() : unreadable;
            return cause instanceof IOException io ? ProblemKind.of(io) : ProblemKind.PERMANENT;
        }

        /** Returns the root node of a file; null when it has none, or cannot be read, which is reported. */
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
                problems.addToFile(name, "no such file; " + remedyWhenMissing, ProblemKind.TRANSIENT);
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
