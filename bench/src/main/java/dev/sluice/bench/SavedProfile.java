package dev.sluice.bench;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.CostProfileFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reader of the figures that {@code sluice cost} has saved. */
final class SavedProfile {
    private SavedProfile() {}

    /** Reads a profile like {@link #read}; empty without {@code file} where nothing was saved yet. */
    static Optional<CostProfile> saved(@Nullable Path file) {
        return file == null && !Files.exists(CostProfileFile.usual()) ? Optional.empty() : Optional.of(read(file));
    }

    /**
     * Reads a profile.
     *
     * @param file null for the usual place
     * @throws BenchException naming the file and the remedy
     */
    static CostProfile read(@Nullable Path file) {
        try {
            return CostProfileFile.read(file == null ? CostProfileFile.usual() : file);
        } catch (CostException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
    }
}
