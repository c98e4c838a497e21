package dev.sluice.bench.mount;

import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A mount of ours: a process that exports, and one that mounts. */
final class SluicePlace {
    private static final List<String> JVM_FLAGS = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:-UsePerfData");

    private SluicePlace() {}

    static Place open(Path served, Path scratch, Site site) throws IOException {
        Path directory = Files.createDirectory(scratch.resolve("mounted"));
        AskedProcess export = start(site, scratch, List.of("serve", scratch.toString(), served.toString()));
        try {
            AskedProcess mount =
                    start(site, scratch, List.of("mount", scratch.toString(), directory.toString(), export.library()));
            return Place.mounted(directory, List.of(mount, export));
        } catch (RuntimeException e) {
            export.close();
            throw e;
        }
    }

    private static AskedProcess start(Site site, Path scratch, List<String> arguments) {
        List<String> flags = new ArrayList<>(JVM_FLAGS);
        site.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
        List<String> command =
                JavaCommand.of(flags, SluicePlace.class.getModule().getName(), MountWorker.class.getName(), arguments);
        Path log = scratch.resolve(arguments.getFirst() + ".log");
        return AskedProcess.start("mount side " + arguments.getFirst(), command, site.environment(), log);
    }
}
