package dev.sluice.transfer.move;

import dev.sluice.transfer.protocol.FrameInput;
import dev.sluice.transfer.protocol.FrameOutput;
import dev.sluice.transfer.protocol.FrameType;
import dev.sluice.transfer.protocol.Hello;
import dev.sluice.transfer.protocol.TransferRole;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.tree.Entry;
import dev.sluice.transfer.tree.EntryCodec;
import dev.sluice.transfer.tree.FieldWriter;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A program that plans a transfer from a source in memory with a thousand directories of a thousand files. */
final class MillionEntries {
    private static final int DIRECTORIES = 1000;
    private static final int FILES = 1000;
    private static final int ENTRY_BYTES_MAX = 300;

    private int directory;
    private int file = -1;

    private MillionEntries() {}

    public static void main(String[] arguments) throws IOException {
        PipeWire[] ends = PipeWire.pair();
        Thread source = Thread.ofPlatform().start(() -> new MillionEntries().serve(ends[1]));
        AtomicLong planned = new AtomicLong();
        Receiver receiver = new Receiver(
                Path.of(arguments[0]),
                ReceiverOptions.DEFAULT.withMode(ReceiverOptions.Mode.DRY_RUN),
                event -> planned.addAndGet(event instanceof TransferEvent.Planned ? 1 : 0));
        receiver.pull(ends[0], Trees.ID, number -> {
            throw new TransferException(TransferFailure.REFUSED, "one stream is enough");
        });
        Sender.joinAll(List.of(source));
        System.out.println("planned " + planned);
    }

    private void serve(PipeWire wire) {
        try (wire) {
            FrameInput in = new FrameInput(wire);
            FrameOutput out = new FrameOutput(wire);
            Hello hello = in.hello(TransferRole.SOURCE);
            out.hello(Hello.of(TransferRole.SOURCE, hello.stream(), hello.session()));
            out.flush();
            in.start();
            FieldWriter page = new FieldWriter(60_000);
            while (in.next() == FrameType.LIST) {
                page.truncate(0);
                while (directory < DIRECTORIES && page.room() > ENTRY_BYTES_MAX) {
                    EntryCodec.write(next(), page);
                }
                out.entries(page, directory == DIRECTORIES);
                out.flush();
            }
            in.summary();
            out.done(new TransferSummary(0, 0, 0));
            wire.finish();
            // The target closes the wire when it has read the frame.
            while (in.nextOrEnd() != null) {
                throw new IOException("frame after the end");
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Entry next() {
        if (file < 0) {
            file = 0;
            return Entry.directory(bytes("directory-" + directory), 0755, 1, 0);
        }
        if (file == FILES) {
            file = -1;
            directory++;
            return Entry.END;
        }
        file++;
        return Entry.file(bytes("file-with-a-name-of-usual-length-" + file), 0644, 1, 0, 4096, false);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
