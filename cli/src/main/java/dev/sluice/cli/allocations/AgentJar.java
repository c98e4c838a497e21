package dev.sluice.cli.allocations;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The jar with the classes that the other JVM loads. */
final class AgentJar {
    private static final List<Class<?>> CLASSES = List.of(
            AllocationAgent.class,
            AllocationRecorder.class,
            AllocationSource.class,
            NativeAllocation.class,
            AllocationTotals.class);

    private AgentJar() {}

    /** Writes the jar to a directory, and returns its place. */
    static Path write(Path directory) throws IOException {
        Path jar = in(directory);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest(jar))) {
            for (Class<?> type : CLASSES) {
                String entry = type.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(entry));
                try (InputStream code = type.getResourceAsStream("/" + entry)) {
                    Objects.requireNonNull(code, entry).transferTo(out);
                }
            }
        }
        return jar;
    }

    /** Returns the place of the jar in a directory. */
    static Path in(Path directory) {
        return directory.resolve("sluice-allocations.jar");
    }

    private static Manifest manifest(Path jar) {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Agent-Class", AllocationAgent.class.getName());
        attributes.putValue("Boot-Class-Path", String.valueOf(jar.getFileName()));
        attributes.putValue("Can-Retransform-Classes", "true");
        return manifest;
    }
}
