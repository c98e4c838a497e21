package dev.sluice.transfer.protocol;

import static dev.sluice.testkit.FuzzProperty.check;
import static dev.sluice.testkit.FuzzProperty.checkInPieces;

import dev.sluice.transfer.tree.Entry;
import dev.sluice.transfer.tree.EntryCodec;
import dev.sluice.transfer.tree.EntryKind;
import dev.sluice.transfer.tree.FieldReader;
import dev.sluice.transfer.tree.FieldWriter;
import dev.sluice.transfer.tree.Names;
import dev.sluice.transfer.tree.TransferException;
import java.io.IOException;
import java.util.Arrays;

/**
 * A fuzzer of the frames of transfers and of all messages in them. They are read or refused by a {@link
 * TransferException}, the same in pieces of any size, within the protocol's limits, and are the same when they are
 * written and read again.
 *
 * <p>Input: the plaintext of a channel. The corpus was written by hand, by docs/transfer-protocol.md.
 */
public final class TransferFrameFuzzer {
    private static final int DATA_BYTES_MAX =
            ProtocolLimits.CHUNK_BYTES + ProtocolLimits.TRAILER_BYTES + ProtocolLimits.CHECKSUM_BYTES;

    private TransferFrameFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        checkInPieces(bytes, TransferFrameFuzzer::read);
    }

    private static String read(byte[] bytes, int pieceBytes) {
        StringBuilder trace = new StringBuilder();
        try (FuzzedWire wire = new FuzzedWire(bytes, pieceBytes)) {
            FrameInput in = new FrameInput(wire);
            FileRequest request = new FileRequest();
            for (FrameType type = in.nextOrEnd(); type != null; type = in.nextOrEnd()) {
                trace.append(type)
                        .append(' ')
                        .append(in.length())
                        .append(in.isLast())
                        .append(in.isCompressed());
                check(in.length() >= 0 && in.length() <= DATA_BYTES_MAX, "length of a frame");
                trace.append(' ').append(message(type, in, wire, request)).append('\n');
            }
            check(wire.left() == 0, "bytes behind the end");
            return trace.append("end").toString();
        } catch (TransferException refused) {
            return trace + refused.failure().toString() + ": " + refused.getMessage();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String message(FrameType type, FrameInput in, FuzzedWire wire, FileRequest request)
            throws IOException {
        FieldReader payload = in.payload();
        return switch (type) {
            case HELLO -> hello(Hello.read(payload));
            case START -> start(Start.read(payload));
            case ENTRIES -> entries(payload);
            case READ, HASHES, EXTENTS -> request(payload, request);
            case DONE -> in.summary().toString();
            case DATA -> data(in.length(), wire);
            default -> payload.remaining() + " bytes";
        };
    }

    private static String data(int length, FuzzedWire wire) {
        for (int left = length; left > 0; ) {
            int taken = wire.scatter(left);
            if (taken == 0) {
                return "cut off";
            }
            wire.taken(taken);
            left -= taken;
        }
        return "data";
    }

    private static String hello(Hello hello) throws IOException {
        check(hello.stream() < ProtocolLimits.STREAMS_MAX, "number of a stream");
        String text = text(hello);
        check(written(out -> out.hello(hello), in -> text(in.hello())).equals(text), "another hello when written");
        return text;
    }

    private static String text(Hello hello) {
        return hello.versionMin() + " " + hello.versionMax() + " " + hello.role() + " " + hello.stream() + " "
                + Arrays.toString(hello.session());
    }

    private static String start(Start start) throws IOException {
        check(Names.isPath(start.path()), "a path that is none");
        String text = text(start);
        check(written(out -> out.start(start), in -> text(in.start())).equals(text), "another start when written");
        return text;
    }

    private static String text(Start start) {
        StringBuilder text = new StringBuilder();
        text.append(start.checksums()).append(start.attributes()).append(start.compression());
        text.append(start.streams()).append(Names.printable(start.path()));
        start.filters().rules().forEach(rule -> text.append(rule.action()).append(Names.printable(rule.pattern())));
        return text.toString();
    }

    private static String request(FieldReader payload, FileRequest request) throws IOException {
        request.read(payload, ProtocolLimits.CHUNK_BYTES);
        boolean inside = request.offset() >= 0
                && request.length() >= 0
                && request.length() <= ProtocolLimits.CHUNK_BYTES
                && request.offset() <= request.size() - request.length();
        check(inside, "a range outside of its file");
        check(request.path().length > 0 && Names.isPath(request.path()), "a path that is none");
        return Names.printable(request.path()) + request.offset() + " " + request.length() + " " + request.size();
    }

    private static String entries(FieldReader page) throws TransferException {
        StringBuilder text = new StringBuilder();
        while (page.remaining() > 0) {
            Entry entry = EntryCodec.read(page);
            check(entry.kind() == EntryKind.END || Names.isName(entry.name()), "a name that is none");
            FieldWriter out = new FieldWriter(EntryCodec.ENTRY_BYTES_MAX);
            EntryCodec.write(entry, out);
            FieldReader again = new FieldReader(Arrays.copyOf(out.array(), out.position()));
            check(text(EntryCodec.read(again)).equals(text(entry)), "another entry when written");
            check(again.remaining() == 0, "bytes behind a written entry");
            text.append(text(entry)).append(';');
        }
        return text.toString();
    }

    private static String text(Entry entry) {
        StringBuilder text = new StringBuilder();
        text.append(entry.kind()).append(Names.printable(entry.name())).append(entry.mode());
        text.append(entry.mtimeSeconds())
                .append(entry.mtimeNanos())
                .append(entry.size())
                .append(entry.sparse());
        text.append(Names.printable(entry.linkTarget())).append(entry.failure());
        entry.attributes()
                .forEach(each -> text.append(Names.printable(each.name())).append(Names.printable(each.value())));
        return text.toString();
    }

    /** A message to write. */
    @FunctionalInterface
    private interface Message {
        void to(FrameOutput out) throws IOException;
    }

    /** A message to read. */
    @FunctionalInterface
    private interface Reading {
        String from(FrameInput in) throws IOException;
    }

    /** Returns what is read of a written message. */
    private static String written(Message message, Reading reading) throws IOException {
        try (FuzzedWire wire = new FuzzedWire(new byte[0], 1)) {
            message.to(new FrameOutput(wire));
            try (FuzzedWire back = new FuzzedWire(wire.sent(), wire.sent().length)) {
                return reading.from(new FrameInput(back));
            }
        }
    }
}
