package dev.sluice.simulator;

import dev.sluice.ffi.libc.Errno;

/**
 * A client or a backend: sends one stream and expects another, at its own pace, and checks every event.
 *
 * <p>The end of the expected stream may come only after its sender has ended it, and only after its last byte. A reset
 * may come only with a reason.
 */
public final class ScriptedPeer implements Peer {
    private static final int MOST_AT_ONCE = 40_000;

    private final Chance chance;
    private final Channel socket;
    private final Script script;
    private final int laziness;
    private final byte[] piece = new byte[MOST_AT_ONCE];
    private ScriptedPeer counterpart = this;
    private int expectBytes;
    private int sent;
    private int received;
    private boolean ended;
    private boolean endSeen;
    private boolean resetSeen;
    private boolean misbehaved;
    private boolean closedEarly;
    private boolean resetIsExpected;
    private boolean over;

    /**
     * The behaviour of a peer.
     *
     * @param sends the {@link Pattern} stream that it sends
     * @param sendBytes number of its bytes
     * @param expects the stream that it expects
     * @param expectBytes number of its bytes
     * @param breaksAfter number of bytes, sent and received, after which it breaks the connection; negative for never
     * @param endsLast true to end its stream only after the other one
     */
    public record Script(long sends, int sendBytes, long expects, int expectBytes, int breaksAfter, boolean endsLast) {
        /** Returns the script of the other side of this exchange. */
        public Script answeredBy(int bytes, int breaks) {
            return new Script(
                    /* sends= */ expects,
                    /* sendBytes= */ bytes,
                    /* expects= */ sends,
                    /* expectBytes= */ sendBytes,
                    breaks,
                    !endsLast);
        }

        /** Returns a script that expects its own bytes back. */
        public static Script echo(long stream, int bytes, int breaksAfter) {
            return new Script(stream, bytes, stream, bytes, breaksAfter, false);
        }
    }

    /** Starts acting on a socket. */
    public ScriptedPeer(SimulatedKernel kernel, Channel socket, Script script) {
        this.chance = kernel.chance();
        this.socket = socket;
        this.script = script;
        this.expectBytes = script.expectBytes;
        this.laziness = chance.oneIn(2) ? 0 : chance.between(2, 8);
        kernel.add(this);
    }

    /** Skips bytes of its stream that another reader has consumed. */
    public void alreadyReceived(int count) {
        received = count;
    }

    /** Sets the sender of the expected stream, and its length. */
    public void counterpart(ScriptedPeer sender, int bytes) {
        counterpart = sender;
        expectBytes = bytes;
    }

    /** Leaves, as at the end of the run. */
    public void leave() {
        if (!over) {
            over = true;
            socket.reset();
        }
    }

    /** Returns the script. */
    public Script script() {
        return script;
    }

    /** Allows a reset from now on. */
    public void expectReset() {
        resetIsExpected = true;
    }

    @Override
    public boolean step() {
        if (over) {
            return false;
        }
        if (laziness > 0 && !chance.oneIn(laziness)) {
            return canAct();
        }
        if (breaks()) {
            return true;
        }
        boolean wrote = writeSome();
        boolean read = readSome();
        return wrote || read;
    }

    private boolean canAct() {
        boolean write = !ended && (sent < script.sendBytes ? socket.canWrite() : !script.endsLast || endSeen);
        return write || (!endSeen && socket.canRead());
    }

    private boolean breaks() {
        if (script.breaksAfter < 0 || sent + received < script.breaksAfter) {
            return false;
        }
        misbehaved = true;
        over = true;
        if (chance.oneIn(2)) {
            socket.reset();
        } else {
            closedEarly = socket.closeIsAnEnd();
            socket.close();
        }
        return true;
    }

    private boolean writeSome() {
        if (ended || over) {
            return false;
        }
        if (sent == script.sendBytes) {
            return end();
        }
        int length = Math.min(chance.sized(1, MOST_AT_ONCE), script.sendBytes - sent);
        Pattern.fill(script.sends, sent, piece, 0, length);
        int count = socket.write(piece, 0, length);
        if (count > 0) {
            sent += count;
        } else if (count != -Errno.EAGAIN) {
            broken(count);
        }
        return count != -Errno.EAGAIN;
    }

    private boolean end() {
        if (script.endsLast && !endSeen) {
            return false;
        }
        int result = socket.shutdownOutput();
        if (result == -Errno.EAGAIN) {
            return false;
        }
        ended = true;
        if (result < 0) {
            broken(result);
        }
        closeWhenComplete();
        return true;
    }

    private boolean readSome() {
        if (endSeen || over) {
            return false;
        }
        int count = socket.read(piece, 0, chance.sized(1, MOST_AT_ONCE));
        if (count > 0) {
            received(count);
        } else if (count == 0) {
            endSeen();
        } else if (count != -Errno.EAGAIN) {
            broken(count);
        }
        return count != -Errno.EAGAIN;
    }

    private void received(int count) {
        if (received + count > expectBytes) {
            throw new SimulationFailure(this + ": received more bytes than were sent, " + (received + count));
        }
        Pattern.check(script.expects, received, piece, 0, count);
        received += count;
    }

    private void endSeen() {
        boolean complete = received == expectBytes && counterpart.ended;
        if (!complete && !counterpart.closedEarly && !resetIsExpected) {
            throw new SimulationFailure(this + ": the stream ended early; its sender: " + counterpart);
        }
        endSeen = true;
        closeWhenComplete();
    }

    private void closeWhenComplete() {
        if (ended && endSeen && !over) {
            over = true;
            socket.close();
        }
    }

    private void broken(int errno) {
        if (!misbehaved && !counterpart.misbehaved && !resetIsExpected) {
            throw new SimulationFailure(this + ": connection broken without a reason: " + Errno.describe(errno));
        }
        resetSeen = true;
        over = true;
        socket.close();
    }

    /** Returns whether it has finished acting. */
    public boolean isOver() {
        return over;
    }

    /** Returns whether both streams were complete, including their ends. */
    public boolean isComplete() {
        return ended && endSeen;
    }

    /** Returns whether it broke the connection itself. */
    public boolean hasMisbehaved() {
        return misbehaved;
    }

    /** Returns whether it found the connection broken. */
    public boolean hasSeenReset() {
        return resetSeen;
    }

    @Override
    public String toString() {
        return "peer(sends " + script.sends + ": " + sent + " of " + script.sendBytes + (ended ? ", ended" : "")
                + "; expects " + script.expects + ": " + received + " of " + expectBytes
                + (endSeen ? ", end seen" : "") + (misbehaved ? ", broken off" : "") + (over ? ", over" : "") + ")";
    }
}
