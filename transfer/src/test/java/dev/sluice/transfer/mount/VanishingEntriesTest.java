package dev.sluice.transfer.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.FileConstants;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.FuseMachine;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.export.ExportSettings;
import dev.sluice.transfer.export.Exporting;
import dev.sluice.transfer.files.FileAttributes;
import dev.sluice.transfer.files.FileOperation;
import dev.sluice.transfer.files.FileProtocol;
import dev.sluice.transfer.files.FrameReader;
import dev.sluice.transfer.files.FrameWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of the export of a directory whose entries disappear after their names were read. The directory is a mount of
 * a peer that lists names, and finds all but the last one absent.
 */
@Timeout(120)
final class VanishingEntriesTest {
    /** More than a few pages of the export's reads. */
    private static final int NAMES = 3000;

    private static final int NAMES_PER_ANSWER = 300;
    private static final String LAST = "name-" + NAMES;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    Path directory;

    @BeforeAll
    static void requireFuse() {
        FuseMachine.require();
    }

    @Test
    void continuesBehindPagesOfWhichNothingIsLeft() throws Exception {
        MountSettings settings = MountSettings.DEFAULT.withAttributeTime(Duration.ZERO);
        try (Mounting at = Mounting.open(directory, ScriptedPeer.exporting(VanishingEntriesTest::answer), settings);
                Exporting exporting = Exporting.of(at.mounted, ExportSettings.READ_ONLY);
                SecureChannel channel = exporting.connect(settings.channel())) {
            assertThat(list(channel)).containsExactly(".", "..", LAST);
        }
    }

    private static boolean answer(FileOperation operation, FrameReader in, FrameWriter out) throws ChannelException {
        return switch (operation) {
            case LIST -> answerList(in, out);
            case STAT -> answerStat(in, out);
            default -> false;
        };
    }

    private static boolean answerList(FrameReader in, FrameWriter out) throws ChannelException {
        in.getInt();
        int first = (int) in.getLong() + 1;
        out.begin(0);
        for (int i = first; i <= NAMES && i < first + NAMES_PER_ANSWER; i++) {
            out.putLong(i);
            ScriptedPeer.putAttributes(out, FileConstants.S_IFREG | 0644, i + 1);
            out.putBytes(name(i).getBytes(StandardCharsets.UTF_8));
        }
        out.end();
        return true;
    }

    private static String name(int number) {
        return switch (number) {
            case 1 -> ".";
            case 2 -> "..";
            default -> "name-" + number;
        };
    }

    private static boolean answerStat(FrameReader in, FrameWriter out) throws ChannelException {
        in.getInt();
        String path = new String(in.getBytes(), StandardCharsets.UTF_8);
        if (path.isEmpty()) {
            return false;
        }
        boolean present = path.equals(LAST);
        out.begin(present ? 0 : Errno.ENOENT);
        if (present) {
            ScriptedPeer.putAttributes(out, FileConstants.S_IFREG | 0644, NAMES + 1);
        }
        out.end();
        return true;
    }

    private static List<String> list(SecureChannel channel) throws ChannelException {
        FrameWriter out = new FrameWriter(channel);
        FrameReader in = new FrameReader(channel.incoming());
        out.begin(FileOperation.OPEN_DIRECTORY);
        out.putBytes(new byte[0]);
        answered(out, in);
        int handle = in.getInt();
        List<String> names = new ArrayList<>();
        FileAttributes attributes = new FileAttributes();
        long cookie = 0;
        boolean more = true;
        while (more) {
            out.begin(FileOperation.LIST);
            out.putInt(handle);
            out.putLong(cookie);
            answered(out, in);
            more = in.left() > 0;
            assertThat(in.left()).isLessThanOrEqualTo(FileProtocol.MAX_PAGE_BYTES);
            while (in.left() > 0) {
                cookie = in.getLong();
                attributes.read(in);
                names.add(new String(in.getBytes(), StandardCharsets.UTF_8));
            }
        }
        return names;
    }

    private static void answered(FrameWriter out, FrameReader in) throws ChannelException {
        out.end();
        out.flush();
        assertThat(in.next()).isTrue();
        assertThat(in.getInt()).isZero();
    }
}
