package dev.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StateDirectoryTest {
    @Test
    void prefersOurOwnVariable() {
        Map<String, String> environment = Map.of("SLUICE_STATE_DIR", "/srv/state", "XDG_STATE_HOME", "/xdg");

        assertThat(StateDirectory.find(environment, "/home/anna")).isEqualTo(Path.of("/srv/state"));
    }

    @Test
    void followsTheXdgConvention() {
        assertThat(StateDirectory.find(Map.of("XDG_STATE_HOME", "/xdg"), "/home/anna"))
                .isEqualTo(Path.of("/xdg/sluice"));
        assertThat(StateDirectory.find(Map.of("HOME", "/home/berta"), "/home/anna"))
                .isEqualTo(Path.of("/home/berta/.local/state/sluice"));
        assertThat(StateDirectory.find(Map.of("XDG_STATE_HOME", ""), "/home/anna"))
                .isEqualTo(Path.of("/home/anna/.local/state/sluice"));
    }
}
