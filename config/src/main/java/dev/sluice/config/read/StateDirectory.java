package dev.sluice.config.read;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The directory of persistent state. */
public final class StateDirectory {
    private StateDirectory() {}

    /** Returns the directory of this process's user. */
    public static Path find() {
        return find(System.getenv(), System.getProperty("user.home"));
    }

    /**
     * Returns {@code SLUICE_STATE_DIR}, else {@code sluice} in {@code XDG_STATE_HOME}, else {@code
     * ~/.local/state/sluice}: in {@code HOME}, as for a shell's {@code ~}, else in {@code home}.
     */
    static Path find(Map<String, String> environment, String home) {
        String own = nonEmpty(environment.get("SLUICE_STATE_DIR"));
        if (own != null) {
            return Path.of(own).toAbsolutePath();
        }
        String state = nonEmpty(environment.get("XDG_STATE_HOME"));
        String shells = nonEmpty(environment.get("HOME"));
        Path base = state == null ? Path.of(shells == null ? home : shells, ".local", "state") : Path.of(state);
        return base.resolve("sluice").toAbsolutePath();
    }

    private static @Nullable String nonEmpty(@Nullable String value) {
        return value == null || value.isEmpty() ? null : value;
    }
}
