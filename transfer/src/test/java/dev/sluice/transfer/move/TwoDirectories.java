package dev.sluice.transfer.move;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An empty source and an empty target for each test, which returns all descriptors and native memory. */
abstract class TwoDirectories {
    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    Path directory;

    Path source;
    Path target;

    @BeforeEach
    void makeDirectories() throws IOException {
        source = Files.createDirectory(directory.resolve("source"));
        target = Files.createDirectory(directory.resolve("target"));
    }
}
