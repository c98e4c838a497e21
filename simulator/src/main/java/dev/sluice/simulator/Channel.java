package dev.sluice.simulator;

/** A stream as a {@link ScriptedPeer} uses it: a socket, or what runs over one. Nothing waits. */
public interface Channel {
    /** Reads what has arrived: bytes, 0 at the end, -EAGAIN when there is none, or another -errno. */
    int read(byte[] to, int offset, int length);

    /** Sends what there is room for: bytes, -EAGAIN when there is none, or another -errno. */
    int write(byte[] from, int offset, int length);

    /** Whether a read would not answer -EAGAIN, as far as can be told. */
    boolean canRead();

    /** Whether a write would not answer -EAGAIN, as far as can be told. */
    boolean canWrite();

    /** Ends our direction: 0, -EAGAIN to be asked again, or another -errno. */
    int shutdownOutput();

    /** Closes in order, unless there are unread bytes: then the other end sees a reset. */
    void close();

    /** Whether the other end takes a close for the end of the stream: not where the end has a message of its own. */
    boolean closeIsAnEnd();

    /** Breaks the connection. */
    void reset();
}
