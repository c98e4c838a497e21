package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** An attacker between the two ends of a channel, who sees every record and changes those of the client at will. */
final class MiddleMan implements AutoCloseable {
    private static final int HEADER_BYTES = 5;
    private static final int MAX_RECORD_BYTES = 17_000;

    private final int[] clientSide = Ends.descriptors();
    private final int[] serverSide = Ends.descriptors();
    private final Ends ends;
    private final List<CompletableFuture<?>> pumps = new ArrayList<>();
    private final List<byte[]> fromServer = new ArrayList<>();
    private volatile UnaryOperator<List<byte[]>> attack = records -> records;
    private volatile int held;

    /** Opens a channel through the attacker. */
    MiddleMan() throws Exception {
        pumps.add(Ends.async(() -> pump(clientSide[1], serverSide[1], true)));
        pumps.add(Ends.async(() -> pump(serverSide[1], clientSide[1], false)));
        ends = Ends.open(ChannelSocket.of(clientSide[0]), ChannelSocket.of(serverSide[0]), Ends.SETTINGS);
    }

    SecureChannel client() {
        return ends.client();
    }

    SecureChannel server() {
        return ends.server();
    }

    /**
     * Replaces the client's next records.
     *
     * @param count how many are held back until they are changed together
     * @param change returns what the server gets instead; null bytes end the connection there
     */
    void attack(int count, UnaryOperator<List<byte[]>> change) {
        attack = change;
        held = count;
    }

    /** Returns the server's last record. */
    byte[] lastOfServer() {
        synchronized (fromServer) {
            return fromServer.getLast();
        }
    }

    private boolean pump(int from, int to, boolean attacked) {
        try (LibC libc = new LibC();
                Arena arena = Arena.ofConfined()) {
            long memory = arena.allocate(MAX_RECORD_BYTES).address();
            List<byte[]> waiting = new ArrayList<>();
            byte[] record = record(libc, from, memory);
            boolean open = true;
            while (record.length > 0 && open) {
                waiting.add(record);
                if (!attacked) {
                    synchronized (fromServer) {
                        fromServer.add(record);
                    }
                }
                if (!attacked || waiting.size() >= held) {
                    open = forward(libc, to, memory, attacked ? attack.apply(waiting) : waiting);
                    waiting.clear();
                }
                record = open ? record(libc, from, memory) : record;
            }
            libc.shutdown(to, Constants.SHUT_WR);
            return true;
        }
    }

    private static byte[] record(LibC libc, int from, long memory) {
        if (!fill(libc, from, memory, HEADER_BYTES)) {
            return new byte[0];
        }
        int length = RawMemory.getShortBigEndian(memory + 3) & 0xFFFF;
        if (!fill(libc, from, memory + HEADER_BYTES, length)) {
            return new byte[0];
        }
        byte[] record = new byte[HEADER_BYTES + length];
        RawMemory.copy(memory, record, 0, record.length);
        return record;
    }

    private static boolean fill(LibC libc, int from, long memory, int length) {
        return libc.recv(from, memory, length, Constants.MSG_WAITALL) == length;
    }

    private static boolean forward(LibC libc, int to, long memory, List<byte[]> records) {
        for (byte[] record : records) {
            if (record.length == 0) {
                return false;
            }
            RawMemory.copy(record, 0, memory, record.length);
            libc.send(to, memory, record.length, Constants.MSG_NOSIGNAL);
        }
        return true;
    }

    @Override
    public void close() {
        ends.close();
        pumps.forEach(CompletableFuture::join);
        try (LibC libc = new LibC()) {
            libc.close(clientSide[1]);
            libc.close(serverSide[1]);
        }
    }
}
