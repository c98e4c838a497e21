package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.FilterRule;
import dev.sluice.transfer.tree.Filters;
import dev.sluice.transfer.tree.SourceTree;
import dev.sluice.transfer.tree.TargetPolicy;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transfers of trees between two directories, as find and sha256sum see them. */
@Timeout(120)
final class TransferTest extends TwoDirectories {
    private static final ReceiverOptions OPTIONS = ReceiverOptions.DEFAULT;

    @Test
    void copiesAnAwkwardTree() throws IOException {
        awkwardTree();
        Trees.Result result = Trees.pull(source, target, OPTIONS);
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
        assertThat(result.summary().failed()).isZero();
        assertThat(result.count(TransferEvent.Completed.class))
                .isEqualTo(result.summary().files());
    }

    @Test
    void copiesOverSeveralStreams() throws IOException {
        awkwardTree();
        Trees.write(source.resolve("large"), Trees.random(150 << 20, 3));
        Trees.pull(source, target, OPTIONS.withStreams(3).withWindowBytes(1 << 20));
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void sendsNothingTwice() throws IOException {
        awkwardTree();
        Trees.pull(source, target, OPTIONS);
        Trees.Result again = Trees.pull(source, target, OPTIONS);
        assertThat(again.sent()).isZero();
        assertThat(again.count(TransferEvent.Completed.class)).isZero();
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void copiesWithoutHashes() throws IOException {
        awkwardTree();
        Trees.pull(source, target, OPTIONS.withVerification(ReceiverOptions.Verification.TRANSPORT));
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void pushesOverStreamsThatTheSourceOpens() throws Exception {
        awkwardTree();
        try (SourceTree tree = SourceTree.of(List.of(source), Filters.NONE)) {
            Receiver receiver = new Receiver(target, OPTIONS.withStreams(2), TransferListener.NONE);
            PipeWire[] first = PipeWire.pair();
            Thread accepting = Thread.ofPlatform().start(() -> {
                try {
                    receiver.accept(first[1], Receiver.readHello(first[1]));
                } catch (TransferException e) {
                    throw new AssertionError(e);
                }
            });
            Sender sender = new Sender(tree, BandwidthLimit.NONE);
            var summary = sender.send(first[0], Trees.ID, number -> {
                PipeWire[] more = PipeWire.pair();
                Thread.ofPlatform().start(() -> {
                    try {
                        receiver.join(more[1], Receiver.readHello(more[1]));
                    } catch (TransferException e) {
                        more[1].abort();
                    }
                });
                return more[0];
            });
            accepting.join();
            assertThat(summary.failed()).isZero();
        }
        assertThat(Trees.listing(target.resolve("source"))).isEqualTo(Trees.listing(source));
    }

    @Test
    void opensNoFurtherStreamForWhatTheFirstDoesAlone() throws Exception {
        awkwardTree();
        try (SourceTree tree = SourceTree.contentsOf(source, Filters.NONE)) {
            Sender sender = new Sender(tree, BandwidthLimit.NONE);
            PipeWire[] ends = PipeWire.pair();
            Thread serving = Thread.ofPlatform().start(() -> Trees.serve(sender, ends[1]));
            Receiver receiver = new Receiver(target, OPTIONS.withStreams(4), TransferListener.NONE);
            receiver.pull(ends[0], Trees.ID, new StreamFactory() {
                @Override
                public Wire open(int stream) {
                    throw new AssertionError("stream=" + stream);
                }

                @Override
                public Duration furtherAfter() {
                    return Duration.ofHours(1);
                }
            });
            serving.join();
        }
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void pullsAPartOfTheTree() throws IOException {
        Trees.write(source.resolve("a/b/c/file"), Trees.random(1000, 1));
        Trees.write(source.resolve("a/other"), Trees.random(1000, 1));
        Trees.pull(source, target, OPTIONS.withPath("a/b".getBytes(StandardCharsets.UTF_8)));
        assertThat(target.resolve("b/c/file")).hasBinaryContent(Trees.random(1000, 1));
        assertThat(Trees.shell(target, "find . | wc -l").trim()).isEqualTo("4");
    }

    @Test
    void rejectsAPathThatTheSourceDoesNotHave() {
        assertThatThrownBy(() -> Trees.pull(source, target, OPTIONS.withPath("x/y".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOfSatisfying(TransferException.class, e -> {
                    assertThat(e.failure()).isEqualTo(TransferFailure.NO_SUCH_PATH);
                    assertThat(e).hasMessageStartingWith("the peer ended the transfer: path=");
                    assertThat(e.getMessage()).containsOnlyOnce(TransferFailure.NO_SUCH_PATH.text());
                });
    }

    @Test
    void keepsHoles() throws IOException {
        Trees.shell(source, "truncate -s 1T huge; printf tail | dd of=huge bs=1 seek=500000000001 conv=notrunc");
        Trees.shell(source, "truncate -s 3M hole; truncate -s 200000 small");
        Trees.pull(source, target, OPTIONS);
        assertThat(Trees.shell(target, "stat -c '%n %s' *")).isEqualTo(Trees.shell(source, "stat -c '%n %s' *"));
        assertThat(Trees.shell(target, "dd if=huge bs=1 skip=500000000000 count=6 2>/dev/null"))
                .isEqualTo("\0tail\0");
        assertThat(Long.parseLong(Trees.shell(target, "du -k . | cut -f1").trim()))
                .isLessThan(1000);
    }

    @Test
    void sendsOnlyTheChunksThatChanged() throws IOException {
        byte[] contents = Trees.random(20 << 20, 5);
        Trees.write(source.resolve("file"), contents);
        Trees.pull(source, target, OPTIONS);
        contents[10_000_000]++;
        Trees.write(source.resolve("file"), Arrays.copyOf(contents, contents.length + 1000));
        Trees.Result result = Trees.pull(source, target, OPTIONS);
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
        assertThat(result.sent()).isLessThanOrEqualTo(2 * 256 * 1024);
    }

    @Test
    void resumesAfterACutAtAnyPoint() throws IOException {
        for (int i = 0; i < 10; i++) {
            Trees.write(source.resolve("dir/small" + i), Trees.random(3000, i));
        }
        Trees.write(source.resolve("dir/large"), Trees.random(3_000_000, 99));
        Trees.shell(source, "truncate -s 2000000 sparse; printf x | dd of=sparse bs=1 seek=1000000 conv=notrunc");
        long total = 3_000_000 + 30_000;
        for (long cut = 50; cut < 3_200_000; cut = cut < 1000 ? cut + 97 : cut + 61_357) {
            Trees.shell(target, "chmod -R u+w . && find . -mindepth 1 -delete");
            long before = 0;
            try {
                Trees.Result whole = Trees.pull(source, target, OPTIONS, cut);
                before = whole.sent();
            } catch (TransferException e) {
                assertThat(e.failure()).isEqualTo(TransferFailure.PEER_VANISHED);
            }
            Trees.Result rest = Trees.pull(source, target, OPTIONS);
            assertThat(Trees.listing(target)).as("cut=" + cut).isEqualTo(Trees.listing(source));
            assertThat(before + rest.sent()).isLessThanOrEqualTo(total + 1_000_000);
            long chunksKept = Math.max(0, cut - 700_000) / (256 * 1024) * (256 * 1024);
            assertThat(rest.sent()).as("cut=" + cut).isLessThanOrEqualTo(Math.max(0, total + 300_000 - chunksKept));
        }
    }

    @Test
    void resumesASparseFileThatChangedMeanwhile() throws IOException {
        Trees.write(source.resolve("file"), Trees.random(2_000_000, 1));
        assertThatThrownBy(() -> Trees.pull(source, target, OPTIONS, 1_500_000)).isInstanceOf(TransferException.class);
        Trees.shell(source, "rm file; truncate -s 1800000 file; printf x | dd of=file bs=1 seek=900000 conv=notrunc");
        Trees.pull(source, target, OPTIONS);
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void filtersPaths() throws IOException {
        for (String name : List.of("keep/a.txt", "keep/a.log", "drop/a.txt", "keep/build/x", "top.log")) {
            Trees.write(source.resolve(name), new byte[] {1});
        }
        Filters filters = new Filters(List.of(
                FilterRule.include("/top.log"),
                FilterRule.exclude("*.log"),
                FilterRule.exclude("/drop/"),
                FilterRule.exclude("keep/**/x")));
        Trees.pull(source, target, OPTIONS.withFilters(filters));
        assertThat(Trees.shell(target, "find . -type f | LC_ALL=C sort")).isEqualTo("./keep/a.txt\n./top.log\n");
    }

    @Test
    void writesNothingInADryRun() throws IOException {
        awkwardTree();
        Trees.Result result = Trees.pull(source, target, OPTIONS.withMode(ReceiverOptions.Mode.DRY_RUN));
        assertThat(Trees.shell(target, "find . -mindepth 1")).isEmpty();
        assertThat(result.count(TransferEvent.Planned.class))
                .isEqualTo(result.summary().files())
                .isPositive();
        assertThat(result.sent()).isZero();
    }

    @Test
    void keepsExistingFilesIfWanted() throws IOException {
        Trees.write(source.resolve("file"), new byte[] {1, 2, 3});
        Trees.write(target.resolve("file"), new byte[] {9});
        TargetPolicy keep =
                new TargetPolicy(TargetPolicy.Existing.KEEP, TargetPolicy.Symlinks.ALL, TargetPolicy.Durability.DEVICE);
        Trees.Result result = Trees.pull(source, target, OPTIONS.withPolicy(keep));
        assertThat(target.resolve("file")).hasBinaryContent(new byte[] {9});
        assertThat(failures(result)).containsExactly(TransferFailure.KEPT);
    }

    /** No clock is asked: sides whose clocks differ by years agree on what is the same. */
    @Test
    void keepsTimesOfTheFutureAndBefore1970() throws IOException {
        Trees.shell(
                source,
                "for at in -2147483649.5 -0.25 0 2147483648 4102444800.999999999 9999999999; do"
                        + " echo $at > ./at$at; mkdir dir$at; ln -s at$at link$at;"
                        + " touch -hd @$at at$at dir$at link$at; done");
        Trees.pull(source, target, OPTIONS);
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
        Trees.Result again = Trees.pull(source, target, OPTIONS);
        assertThat(again.sent()).isZero();
        assertThat(again.count(TransferEvent.Unchanged.class)).isEqualTo(12);
    }

    @Test
    void neverWritesThroughASymbolicLinkOfTheTarget() throws IOException {
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Trees.write(source.resolve("dir/file"), new byte[] {1});
        Trees.write(source.resolve("file"), new byte[] {1});
        Trees.write(outside.resolve("victim"), new byte[] {7});
        Files.createSymbolicLink(target.resolve("dir"), outside);
        Files.createSymbolicLink(target.resolve("file"), outside.resolve("victim"));
        Trees.Result result = Trees.pull(source, target, OPTIONS);
        assertThat(failures(result)).containsExactly(TransferFailure.OCCUPIED);
        assertThat(outside.resolve("victim")).hasBinaryContent(new byte[] {7});
        assertThat(Trees.shell(outside, "ls")).isEqualTo("victim\n");
        assertThat(Files.isRegularFile(target.resolve("file"), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
    }

    @Test
    void refusesLinksThatLeaveTheTree() throws IOException {
        Trees.shell(source, "ln -s /etc/passwd absolute; mkdir d; ln -s ../../x up; ln -s ../ok d/within");
        Trees.Result result = Trees.pull(source, target, OPTIONS);
        assertThat(failures(result))
                .containsExactly(TransferFailure.LINK_LEAVES_TREE, TransferFailure.LINK_LEAVES_TREE);
        assertThat(Trees.shell(target, "find . -type l")).isEqualTo("./d/within\n");
    }

    @Test
    void reportsWhatIsNeitherFileNorDirectoryNorLink() throws IOException {
        Trees.shell(source, "mkfifo pipe; echo x > file");
        Trees.Result result = Trees.pull(source, target, OPTIONS);
        assertThat(failures(result)).containsExactly(TransferFailure.SPECIAL_FILE);
        assertThat(result.summary().files()).isEqualTo(1);
    }

    @Test
    void replacesALinkAndReportsADirectoryInTheWay() throws IOException {
        Trees.shell(source, "ln -s new link; echo x > file; ln -s y other");
        Trees.shell(target, "ln -s old link; mkdir -p file/sub other/sub");
        Trees.Result result = Trees.pull(source, target, OPTIONS);
        assertThat(Files.readSymbolicLink(target.resolve("link"))).hasToString("new");
        assertThat(failures(result)).containsExactly(TransferFailure.OCCUPIED, TransferFailure.OCCUPIED);
        assertThat(Trees.shell(target, "find . -name '.sluice*'")).isEmpty();
    }

    @Test
    void keepsExtendedAttributesIfWanted() throws IOException {
        Trees.write(source.resolve("file"), new byte[] {1});
        Files.setAttribute(source.resolve("file"), "user:colour", "blue".getBytes(StandardCharsets.UTF_8));
        Trees.pull(source, target, OPTIONS.withAttributes(ReceiverOptions.Attributes.EXTENDED));
        assertThat((byte[]) Files.getAttribute(target.resolve("file"), "user:colour"))
                .isEqualTo("blue".getBytes(StandardCharsets.UTF_8));
    }

    private static List<TransferFailure> failures(Trees.Result result) {
        return result.events().stream()
                .filter(TransferEvent.Failed.class::isInstance)
                .map(event -> ((TransferEvent.Failed) event).failure())
                .toList();
    }

    private void awkwardTree() throws IOException {
        Trees.write(source.resolve("one"), new byte[] {1});
        Trees.write(source.resolve("chunk"), Trees.random(256 * 1024, 1));
        Trees.write(source.resolve("chunk and one"), Trees.random(256 * 1024 + 1, 2));
        Trees.write(source.resolve("deep/er/file"), Trees.random(700_000, 3));
        Trees.shell(
                source,
                "touch empty; mkdir -p emptydir 'with space/-rf'; ln -s empty link; ln -s gone dangling;"
                        + " mkdir $'latin\\xe9'; echo x > $'latin\\xe9/\\xff\\xfe'; echo y > $'new\\nline';"
                        + " echo z > $(printf 'n%.0s' $(seq 255)); ln -s '../one' deep/up;"
                        + " d=levels; for i in $(seq 60); do d=$d/l$i; done; mkdir -p $d; echo deep > $d/file;"
                        + " for i in $(seq 300); do echo $i > with\\ space/$i; done;"
                        + " echo r > readonly; chmod 444 readonly; mkdir closed; echo c > closed/file;"
                        + " touch -d '1969-07-20 20:17:40.123456789' one; touch -hd '2001-02-03 04:05:06.7' link;"
                        + " chmod 555 closed; touch -d '2030-01-01' emptydir");
    }
}
