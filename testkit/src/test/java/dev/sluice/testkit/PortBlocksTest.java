package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ports that two runs of tests beside each other share out, which a gateway's SO_REUSEPORT would let them share. */
class PortBlocksTest {
    private static final String LOCK = """
            import fcntl, signal, sys
            block = open(sys.argv[1], "w")
            fcntl.lockf(block, fcntl.LOCK_EX)
            print("locked", flush=True)
            signal.pause()
            """;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void holdersBesideEachOtherGiveDifferentPorts() {
        PortBlocks one = new PortBlocks(directory, 0);
        PortBlocks other = new PortBlocks(directory, 0);
        Set<Integer> given = new HashSet<>();
        int each = 2 * PortBlocks.BLOCK_PORTS + 1;
        for (int i = 0; i < each; i++) {
            given.add(one.next());
            given.add(other.next());
        }
        assertThat(given)
                .hasSize(2 * each)
                .allMatch(port -> port >= PortBlocks.FIRST_PORT && port < PortBlocks.END_PORT);
    }

    @Test
    void aBlockOfAnotherProcessIsLeftOut() {
        Path block = directory.resolve("0");
        try (RunningProgram holder = ForeignProgram.required("python3", "python3")
                .command("-c", LOCK, block.toString())
                .start()) {
            holder.awaitOutput("locked", Waiting.LIMIT);

            assertThat(new PortBlocks(directory, 0).next()).isEqualTo(PortBlocks.FIRST_PORT + PortBlocks.BLOCK_PORTS);
        }
    }

    @Test
    void theEndOfThePortsIsReported() {
        PortBlocks all = new PortBlocks(directory, 0);
        int ports = (PortBlocks.END_PORT - PortBlocks.FIRST_PORT) / PortBlocks.BLOCK_PORTS * PortBlocks.BLOCK_PORTS;
        for (int i = 0; i < ports; i++) {
            all.next();
        }
        assertThatThrownBy(all::next)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("blocks of ports are claimed");
    }
}
