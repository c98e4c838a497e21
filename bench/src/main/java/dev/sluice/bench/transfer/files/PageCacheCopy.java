package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.process.Site;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A copy within the machine by cp(1): what the page cache and the file system allow. */
record PageCacheCopy(Site site, Path root) implements Mover {
    @Override
    public Identity identity() {
        return Identity.of("cp", Role.FLOOR);
    }

    @Override
    public void start() {
        // There is no server.
    }

    @Override
    public long move(Workload workload, Path into) throws InterruptedException {
        List<String> command = List.of(
                "cp", "-r", "--reflink=never", root.resolve(workload.name()).toString(), into.toString());
        return TimedCommand.run("cp", command, Map.of(), site.directory().resolve("cp.log"));
    }

    @Override
    public void close() {
        // There is no server.
    }
}
