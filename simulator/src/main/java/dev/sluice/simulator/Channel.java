package dev.sluice.simulator;

/** A byte stream of a {@link ScriptedPeer}: a socket, or a protocol over one. No call blocks. */
public interface Channel {
    /** Reads received bytes: their number, 0 at the end, -EAGAIN when there are none, or another -errno. */
    int read(byte[] to, int offset, int length);

    /** Sends as many bytes as fit: their number, -EAGAIN when none fit, or another -errno. */
    int write(byte[] from, int offset, int length);

    /** Returns whether a read would not return -EAGAIN, as far as known. */
    boolean canRead();

    /** Returns whether a write would not return -EAGAIN, as far as known. */
    boolean canWrite();

    /** Ends our direction: 0, -EAGAIN to be called again, or another -errno. */
    int shutdownOutput();

    /** Closes cleanly, unless there are unread bytes: then the other end sees a reset. */
    void close();

    /**
     * Returns whether the other end takes a close for the end of the stream; false for protocols with an end message.
     */
    boolean closeIsAnEnd();

    /** Breaks the connection. */
    void reset();
}
