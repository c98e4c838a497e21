package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.transfer.protocol.FrameInput;
import dev.sluice.transfer.protocol.FrameOutput;
import dev.sluice.transfer.protocol.FrameType;
import dev.sluice.transfer.protocol.Hello;
import dev.sluice.transfer.protocol.Start;
import dev.sluice.transfer.protocol.TransferRole;
import dev.sluice.transfer.tree.Entry;
import dev.sluice.transfer.tree.FilterRule;
import dev.sluice.transfer.tree.Filters;
import dev.sluice.transfer.tree.SourceTree;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Targets that lie: the source sends nothing from outside of its tree. */
final class HostileTargetTest {
    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    Path directory;

    private Path source;

    /** The conduct of a target after the start. */
    private interface Script {
        void run(FrameInput in, FrameOutput out) throws IOException;
    }

    @BeforeEach
    void makeSource() throws IOException {
        source = Files.createDirectory(directory.resolve("source"));
        Files.writeString(directory.resolve("secret"), "secret");
        Files.writeString(source.resolve("file"), "contents");
        Files.writeString(source.resolve("private.key"), "excluded");
        Files.createSymbolicLink(source.resolve("link"), directory.resolve("secret"));
        Files.createSymbolicLink(source.resolve("up"), directory);
        Trees.shell(source, "mkfifo pipe; touch -d @1000 file private.key pipe; touch -d @1000 ../secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../secret", "/etc/passwd", "a//b", "./file", "a\0b", ""})
    void rejectsPathsThatLeadOut(String path) {
        assertThat(fails((in, out) -> {
                    out.request(FrameType.READ, bytes(path), version(6), 0, 6);
                    out.flush();
                    in.next();
                }))
                .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "up/secret", "pipe", "private.key", "gone", "up"})
    void sendsNothingThroughLinksNorWhatIsExcluded(String path) {
        AtomicReference<FrameType> answer = new AtomicReference<>();
        assertThat(fails((in, out) -> {
                    out.request(FrameType.READ, bytes(path), version(6), 0, 6);
                    out.flush();
                    answer.set(in.next());
                }))
                .isEqualTo(TransferFailure.PEER_VANISHED);
        assertThat(answer).hasValue(FrameType.FAILED);
    }

    @Test
    void rejectsRangesOutsideOfTheFile() {
        for (long[] range : new long[][] {{0, 9}, {-1, 4}, {9, 0}, {4, 5}, {0, -1}, {0, 1 << 20}}) {
            assertThat(fails((in, out) -> {
                        out.request(FrameType.READ, bytes("file"), version(8), range[0], (int) range[1]);
                        out.flush();
                        in.next();
                    }))
                    .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
        }
    }

    @Test
    void reportsAFileOfAnotherVersion() {
        AtomicReference<TransferFailure> answer = new AtomicReference<>();
        assertThat(fails((in, out) -> {
                    out.request(FrameType.READ, bytes("file"), version(7), 0, 7);
                    out.flush();
                    answer.set(TransferFailure.of(in.expect(FrameType.FAILED).getByte()));
                }))
                .isEqualTo(TransferFailure.PEER_VANISHED);
        assertThat(answer).hasValue(TransferFailure.SOURCE_CHANGED);
    }

    @Test
    void rejectsFramesOfASource() {
        assertThat(fails((in, out) -> {
                    out.failed(TransferFailure.NOT_FOUND);
                    out.flush();
                    in.next();
                }))
                .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
    }

    private TransferFailure fails(Script script) {
        PipeWire[] ends = PipeWire.pair();
        Thread liar = Thread.ofPlatform().start(() -> lie(script, ends[1]));
        try (SourceTree tree = SourceTree.contentsOf(source, new Filters(List.of(FilterRule.exclude("*.key"))))) {
            Sender sender = new Sender(tree, BandwidthLimit.NONE);
            return catchThrowableOfType(TransferException.class, () -> sender.serve(ends[0]))
                    .failure();
        } catch (TransferException e) {
            throw new AssertionError(e);
        } finally {
            Sender.joinAll(List.of(liar));
        }
    }

    private static void lie(Script script, PipeWire wire) {
        try (wire) {
            FrameInput in = new FrameInput(wire);
            FrameOutput out = new FrameOutput(wire);
            out.hello(Hello.of(TransferRole.TARGET, 0, Trees.ID));
            out.start(new Start(true, false, false, 1, new byte[0], Filters.NONE));
            out.flush();
            Hello _ = in.hello(TransferRole.TARGET);
            script.run(in, out);
            wire.finish();
        } catch (IOException e) {
            wire.abort();
        }
    }

    /** Returns a version of a file of some size, modified at 1000. */
    private static Entry version(long size) {
        return Entry.file(bytes("x"), 0, 1000, 0, size, false);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
