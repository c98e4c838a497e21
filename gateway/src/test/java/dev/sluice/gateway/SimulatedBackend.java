package dev.sluice.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.MemorySocket;
import dev.sluice.simulator.Peer;
import java.io.ByteArrayOutputStream;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * A backend on a socket in memory. It reads for whom the gateway connects, does what the first byte of the client asks
 * for (see {@link RecordSequence#BACKENDS}), and may leave at any moment.
 */
public final class SimulatedBackend implements Peer {
    private static final int PAUSE_STEPS_MAX = 100;
    private static final int LEAVING_STEPS_MAX = 2_000;
    private static final int PIECE_BYTES = 20_000;
    private static final int PUSHED_BYTES_MAX = 500_000;
    private static final byte[] RESPONSE = "HTTP/1.0 200 OK\r\n\r\n".getBytes(US_ASCII);

    /** The ways to leave early. */
    private enum Leaving {
        NOT,
        RESET,
        CLOSE,
        END_OF_STREAM,
        SILENCE
    }

    private final Chance chance;
    private final LongSupplier nanoTime;
    private final MemorySocket socket;
    private final IntConsumer identified;
    private final ByteArrayOutputStream header = new ByteArrayOutputStream();
    private final byte[] piece = new byte[PIECE_BYTES];
    private int pieceStart;
    private int pieceEnd;
    private int asked = -1;
    private boolean knowsClient;
    private Leaving leaving = Leaving.NOT;
    private int stepsLeft;
    private int pause;
    private int pushed;
    private boolean responded;
    private boolean outputEnded;
    private boolean over;
    private boolean silent;
    private long resetNanos = -1;

    /**
     * Creates a simulated backend.
     *
     * @param identified told the port of the client, once
     */
    public SimulatedBackend(Chance chance, LongSupplier nanoTime, MemorySocket socket, IntConsumer identified) {
        this.chance = chance;
        this.nanoTime = nanoTime;
        this.socket = socket;
        this.identified = identified;
    }

    /** Leaves some time, in some way. */
    public void misbehave() {
        Leaving[] all = Leaving.values();
        leaving = all[chance.below(all.length)];
        stepsLeft = chance.sized(1, LEAVING_STEPS_MAX);
    }

    // --- what is known of it ----------------------------------------------------------------------------------------

    /** Returns the time at which it broke the connection, in simulated nanoseconds; negative when it has not. */
    public long resetNanos() {
        return resetNanos;
    }

    boolean isPassive() {
        return over || silent;
    }

    /** Returns true when it reads what the gateway sends, sooner or later. */
    public boolean reads() {
        return !silent;
    }

    public boolean isOver() {
        return over;
    }

    /** Breaks the connection now. */
    public void breakOff() {
        if (!over) {
            over = true;
            socket.reset();
            resetNanos = nanoTime.getAsLong();
        }
    }

    // --- its turn ---------------------------------------------------------------------------------------------------

    @Override
    public boolean step() {
        if (isPassive()) {
            return false;
        }
        if (pause > 0) {
            pause--;
            return true;
        }
        if (!knowsClient) {
            return readHeader();
        }
        if (leaving != Leaving.NOT && --stepsLeft <= 0) {
            leave();
            return true;
        }
        boolean moved = asked < 0 ? readAsked() : behave();
        pause = moved && chance.oneIn(4) ? chance.sized(1, PAUSE_STEPS_MAX) : 0;
        return moved || leaving != Leaving.NOT;
    }

    private void leave() {
        Leaving how = leaving;
        leaving = Leaving.NOT;
        switch (how) {
            case RESET -> breakOff();
            case CLOSE -> close();
            case END_OF_STREAM -> end();
            case SILENCE -> silent = true;
            case NOT -> throw new IllegalStateException();
        }
    }

    private boolean readHeader() {
        byte[] one = new byte[1];
        int count = socket.read(one, 0, 1);
        if (count == 1 && one[0] == '\n') {
            knowsClient = true;
            String[] words = header.toString(US_ASCII).split(" ", -1);
            identified.accept(Integer.parseInt(words[4]));
        } else if (count == 1) {
            header.write(one[0]);
        } else if (count != -Errno.EAGAIN) {
            close();
        }
        return count != -Errno.EAGAIN;
    }

    private boolean readAsked() {
        byte[] one = new byte[1];
        int count = socket.read(one, 0, 1);
        if (count == 1) {
            asked = one[0] & 0xFF;
            // As it does with all that follows.
            piece[0] = one[0];
            pieceStart = 0;
            pieceEnd = asks('c') || asks('p') || asks('s') || asks('h') || asks('r') ? 0 : 1;
        } else if (count != -Errno.EAGAIN) {
            close();
        }
        return count != -Errno.EAGAIN;
    }

    private boolean asks(char behaviour) {
        return asked == behaviour;
    }

    private boolean behave() {
        if (asks('r')) {
            breakOff();
            return true;
        }
        if (asks('c')) {
            return respond();
        }
        if (asks('p')) {
            return push();
        }
        if (asks('s')) {
            return sink();
        }
        if (asks('h')) {
            end();
            return sink();
        }
        return echo();
    }

    private boolean respond() {
        if (!responded) {
            responded = true;
            socket.write(RESPONSE, 0, RESPONSE.length);
        }
        close();
        return true;
    }

    private boolean push() {
        int count = pushed < PUSHED_BYTES_MAX ? socket.write(piece, 0, chance.sized(1, PIECE_BYTES)) : 0;
        if (count == 0) {
            silent = true;
        } else if (count < 0 && count != -Errno.EAGAIN) {
            close();
        }
        pushed += Math.max(count, 0);
        return count != -Errno.EAGAIN;
    }

    private boolean sink() {
        int count = socket.read(piece, 0, chance.sized(1, PIECE_BYTES));
        if (count <= 0 && count != -Errno.EAGAIN) {
            close();
        }
        return count != -Errno.EAGAIN;
    }

    private boolean echo() {
        if (pieceStart == pieceEnd) {
            int count = socket.read(piece, 0, chance.sized(1, PIECE_BYTES));
            if (count <= 0 && count != -Errno.EAGAIN) {
                close();
            }
            pieceStart = 0;
            pieceEnd = Math.max(count, 0);
            return count != -Errno.EAGAIN;
        }
        int count = outputEnded ? pieceEnd - pieceStart : socket.write(piece, pieceStart, pieceEnd - pieceStart);
        if (count < 0 && count != -Errno.EAGAIN) {
            close();
        }
        pieceStart += Math.max(count, 0);
        return count != -Errno.EAGAIN;
    }

    private void end() {
        if (!outputEnded) {
            outputEnded = true;
            socket.shutdownOutput();
        }
    }

    private void close() {
        over = true;
        socket.close();
        if (socket.isBroken()) {
            resetNanos = nanoTime.getAsLong();
        }
    }

    @Override
    public String toString() {
        return "backend(" + (asked < 0 ? "not asked" : "asked for " + (char) asked) + ", " + leaving
                + (outputEnded ? ", output ended" : "") + (over ? ", over" : "") + (silent ? ", silent" : "") + ")";
    }
}
