package dev.sluice.transfer.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.FuseMachine;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.Waiting;
import dev.sluice.transfer.files.FileOperation;
import dev.sluice.transfer.files.FileProtocol;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a mount against a peer that keeps to no rule: every access ends, with EIO at the latest. */
@Timeout(60)
final class HostilePeerTest {
    /** The kernel's FUSE refuses an answer with this errno, and any above, as malformed. */
    private static final int KERNEL_INTERNAL = 512;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    Path directory;

    @BeforeAll
    static void requireFuse() {
        FuseMachine.require();
    }

    private Mounting mounting(ScriptedPeer.Script script) throws IOException {
        return Mounting.open(directory, ScriptedPeer.exporting(script), MountSettings.DEFAULT);
    }

    private static void assertLost(Mounting at, String reason) throws InterruptedException {
        IOException loss = at.losses.poll(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(loss).isNotNull().hasMessageContaining(reason);
        assertThatThrownBy(() -> Files.size(at.mounted.resolve("other")))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Input/output error");
    }

    @Test
    void endsAtAnErrnoThatTheKernelRefuses() throws Exception {
        try (Mounting at = mounting((operation, in, out) -> {
            if (operation != FileOperation.STAT) {
                return false;
            }
            out.begin(0);
            out.errno(KERNEL_INTERNAL);
            out.end();
            return true;
        })) {
            assertThatThrownBy(() -> Files.size(at.mounted.resolve("file"))).hasMessageContaining("Input/output error");
            assertLost(at, "errno 512");
        }
    }

    @Test
    void endsAtAValueAboveTheLimit() throws Exception {
        byte[] value = new byte[FileProtocol.MAX_DATA_BYTES + 1];
        try (Mounting at = mounting((operation, in, out) -> {
            if (operation != FileOperation.LIST_ATTRIBUTES) {
                return false;
            }
            out.begin(0);
            out.putData(MemorySegment.ofArray(value), 0, value.length);
            out.end();
            return true;
        })) {
            UserDefinedFileAttributeView view =
                    Files.getFileAttributeView(at.mounted, UserDefinedFileAttributeView.class);
            assertThatThrownBy(view::list).hasMessageContaining("Input/output error");
            assertLost(at, "1048577 bytes");
        }
    }
}
