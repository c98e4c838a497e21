package dev.sluice.transfer.move;

import static dev.sluice.testkit.FuzzProperty.check;

import dev.sluice.testkit.FuzzInput;
import dev.sluice.transfer.tree.FieldReader;
import dev.sluice.transfer.tree.Names;
import dev.sluice.transfer.tree.TargetFiles;
import dev.sluice.transfer.tree.TargetTree;
import dev.sluice.transfer.tree.TransferException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A fuzzer of manifests, which make directories, links and empty files of the target. One is taken or refused by a
 * {@link TransferException}, nothing outside of the target changes, a dry run changes nothing at all, and pages that
 * are sent again bring nothing new.
 *
 * <p>Input: an octet of options, then pages, each behind its length in 16 bits. The corpus was written by hand, by
 * docs/transfer-protocol.md.
 */
public final class ManifestFuzzer {
    private static final int DRY_RUN = 1;
    private static final int ATTRIBUTES = 2;
    /** A file system in memory, where there is one: on a disk each file that is complete waits for it. */
    private static final Path MEMORY = Path.of("/dev/shm");

    private static final Path HOME = home();
    private static final Path TARGET = HOME.resolve("target");
    private static final Path BESIDE = HOME.resolve("beside");

    private ManifestFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        FuzzInput input = new FuzzInput(bytes);
        int options = input.octet();
        List<byte[]> pages = new ArrayList<>();
        while (input.hasMore()) {
            pages.add(input.take(input.octet() << Byte.SIZE | input.octet()));
        }
        run(options, pages);
        check(list(HOME).equals(List.of("beside", "target")), "something beside the target: " + list(HOME));
        check(list(BESIDE).equals(List.of("canary")), "something outside of the target: " + list(BESIDE));
        check((options & DRY_RUN) == 0 || list(TARGET).isEmpty(), "a dry run that writes: " + list(TARGET));
        clear(TARGET);
    }

    private static void run(int options, List<byte[]> pages) {
        ReceiverOptions wanted = ReceiverOptions.DEFAULT
                .withMode((options & DRY_RUN) == 0 ? ReceiverOptions.Mode.TRANSFER : ReceiverOptions.Mode.DRY_RUN)
                .withAttributes(
                        (options & ATTRIBUTES) == 0
                                ? ReceiverOptions.Attributes.BASIC
                                : ReceiverOptions.Attributes.EXTENDED);
        try (TargetTree tree = TargetTree.open(TARGET, wanted.policy())) {
            ReceiverSession session = new ReceiverSession(
                    tree, wanted, event -> check(isInside(event.path()), "a path outside"), new TransferProgress());
            try (TargetFiles files = new TargetFiles(tree)) {
                read(session.manifest(), pages, files);
            } finally {
                session.abandonAll();
            }
        } catch (TransferException refused) {
            check(!String.valueOf(refused.getMessage()).isEmpty(), "no reason");
        }
    }

    private static void read(ManifestReader manifest, List<byte[]> pages, TargetFiles files) throws TransferException {
        manifest.begin();
        for (byte[] page : pages) {
            boolean _ = manifest.page(new FieldReader(page), false, files);
        }
        manifest.begin();
        for (byte[] page : pages) {
            check(!manifest.page(new FieldReader(page), false, files), "the same page brings something new");
        }
        boolean _ = manifest.page(new FieldReader(new byte[0]), true, files);
    }

    private static boolean isInside(byte[] path) {
        return Names.isPath(path) && !new String(path, StandardCharsets.ISO_8859_1).startsWith("/");
    }

    // --- directories ------------------------------------------------------------------------------------------------

    private static Path home() {
        try {
            Path home = Files.isWritable(MEMORY)
                    ? Files.createTempDirectory(MEMORY, "sluice-fuzz")
                    : Files.createTempDirectory("sluice-fuzz");
            Files.createDirectory(home.resolve("target"));
            Path beside = Files.createDirectory(home.resolve("beside"));
            Path canary = Files.writeString(beside.resolve("canary"), "canary");
            Stream.of(home, home.resolve("target"), beside, canary)
                    .map(Path::toFile)
                    .forEach(File::deleteOnExit);
            return home;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> list(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(Path::getFileName).map(Path::toString).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void clear(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                if (!each.equals(directory)) {
                    Files.delete(each);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        check(Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS), "the target is gone");
    }
}
