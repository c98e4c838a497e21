package dev.sluice.gateway.restart;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.NativeBalance;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of what comes in place of a running gateway's sockets. */
final class PassedSocketsTest {
    @RegisterExtension
    final NativeBalance<List<String>> balance = NativeBalance.ofDescriptors();

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "127.0.0.1:1 localhost:2", "127.0.0.1:1 127.0.0.1:2 127.0.0.1:3", " "})
    void closesTheDescriptorsOfAForeignMessage(String text) throws Exception {
        Path path = directory.resolve("s");
        try (DescriptorSocket there = DescriptorSocket.listen(path);
                DescriptorSocket here = DescriptorSocket.connect(path)) {
            there.accept();
            here.send("127.0.0.1:0 127.0.0.1:8443", new int[] {0, 1});
            here.send(text, new int[] {0, 1});

            assertThatThrownBy(() -> PassedSockets.receive(there))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in place of two addresses; stop the running gateway");
        }
    }
}
