package dev.sluice.transfer.mount;

import dev.sluice.ffi.fuse.FuseRequests;
import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.LibCMounts;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.MountConstants;
import dev.sluice.ffi.libc.PollFd;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelFailure;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.files.FileOperation;
import dev.sluice.transfer.files.FileProtocol;
import dev.sluice.transfer.files.FrameReader;
import dev.sluice.transfer.files.FrameWriter;
import dev.sluice.transfer.files.ProcessOwner;
import dev.sluice.transfer.mount.MountState.Peer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A mounted directory of a peer.
 *
 * <p>Two threads serve it until it is unmounted, by {@link #close} or by umount(8). When the peer is gone, every access
 * fails with EIO until then.
 */
public final class Mount implements AutoCloseable {
    /** The most requests to the peer for one request of the kernel, before reading ahead. */
    static final int MAX_CALLS_PER_REQUEST = WaitingRead.MAX_BLOCKS + 2;

    private static final int BUFFER_BYTES = FileProtocol.MAX_DATA_BYTES + FileProtocol.MAX_HEAD_BYTES;
    private static final Duration END_LIMIT = Duration.ofSeconds(5);

    private final SecureChannel channel;
    private final MountSettings settings;
    private final FuseDevice device;
    private final MountState state;
    private final FrameWriter out;
    private final FrameReader in;
    private final FuseReplies requestReplies;
    private final FuseReplies answerReplies;
    private final Consumer<IOException> lost;
    private final int features;
    private final LibC libc = new LibC();
    private final int wakeUp;
    private final Thread requests;
    private final Thread answers;
    private volatile Phase phase = Phase.MOUNTED;
    private Sending sending = Sending.OPEN;
    private long sentNanos = System.nanoTime();
    private boolean closed;

    /** The life of a mount. */
    private enum Phase {
        /** Serves the kernel. */
        MOUNTED,
        /** {@link #close} has been called. */
        CLOSING,
        /** The kernel has no mount any more. */
        UNMOUNTED
    }

    /** The direction to the peer. */
    private enum Sending {
        /** Works. */
        OPEN,
        /** Has failed; the receiving thread notices, too. */
        FAILED
    }

    /** The peer's answer to the first request. */
    private record Welcome(int features, ProcessOwner owner) {}

    private Mount(
            SecureChannel channel,
            FuseDevice device,
            Welcome welcome,
            ProcessOwner ours,
            MountSettings settings,
            Consumer<IOException> lost) {
        this.channel = channel;
        this.device = device;
        this.settings = settings;
        this.lost = lost;
        this.features = welcome.features();
        this.state = new MountState(settings);
        this.out = new FrameWriter(channel);
        this.in = new FrameReader(channel.incoming());
        FuseReplies.PeerOwner owner = new FuseReplies.PeerOwner(welcome.owner(), ours);
        this.requestReplies = new FuseReplies(device.descriptor(), owner, settings.attributeTime());
        this.answerReplies = new FuseReplies(device.descriptor(), owner, settings.attributeTime());
        this.wakeUp = libc.eventfd(0, Constants.EFD_CLOEXEC | Constants.EFD_NONBLOCK);
        this.requests = Thread.ofPlatform().name("mount-requests").unstarted(this::serveRequests);
        this.answers = Thread.ofPlatform().name("mount-answers").unstarted(this::serveAnswers);
    }

    /**
     * Mounts the directory that a peer exports.
     *
     * @param channel made with {@link MountSettings#channel()}; owned from now on, also when this throws
     * @param source the peer's name in the table of mounts
     * @param directory an existing directory
     * @param lost called once, by another thread, when the peer is gone while the mount is in use
     * @return the caller closes it
     * @throws MountException when the peer does not permit it, or this machine cannot mount
     * @throws ChannelException when the channel fails
     */
    public static Mount open(
            SecureChannel channel, String source, Path directory, MountSettings settings, Consumer<IOException> lost)
            throws IOException {
        return open(channel, source, directory, settings, lost, FuseDevice.Way.of(ProcessOwner.current()));
    }

    /** Mounts in one of the ways. */
    static Mount open(
            SecureChannel channel,
            String source,
            Path directory,
            MountSettings settings,
            Consumer<IOException> lost,
            FuseDevice.Way way)
            throws IOException {
        try {
            Welcome welcome = greet(channel);
            MountSettings permitted = (welcome.features() & FileProtocol.READ_ONLY) != 0
                    ? settings.withAccess(MountSettings.Access.READ_ONLY)
                    : settings;
            ProcessOwner ours = ProcessOwner.current();
            FuseDevice device = FuseDevice.mount(source, real(directory), permitted, ours, way);
            return start(channel, device, welcome, ours, permitted, lost);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** Serves a device; closes it when that fails. */
    private static Mount start(
            SecureChannel channel,
            FuseDevice device,
            Welcome welcome,
            ProcessOwner ours,
            MountSettings settings,
            Consumer<IOException> lost) {
        try {
            Mount mount = new Mount(channel, device, welcome, ours, settings, lost);
            mount.answers.start();
            mount.requests.start();
            return mount;
        } catch (RuntimeException | Error e) {
            // Closed first: nobody answers what an unmount asks.
            device.close();
            device.unmount();
            throw e;
        }
    }

    private static Path real(Path directory) throws MountException {
        try {
            return directory.toRealPath();
        } catch (IOException e) {
            throw new MountException("mount: cannot find " + directory + " (" + e + "); name an existing directory");
        }
    }

    private static Welcome greet(SecureChannel channel) throws IOException {
        FrameWriter out = new FrameWriter(channel);
        FrameReader in = new FrameReader(channel.incoming());
        out.begin(FileOperation.HELLO);
        out.putInt(FileProtocol.MAGIC);
        out.end();
        out.flush();
        if (!in.next()) {
            throw new MountException(
                    "mount: the peer ended the conversation; it serves no mounts, or an older version of them");
        }
        int errno = in.getInt();
        if (errno != 0) {
            throw new MountException("mount: the peer does not permit it (" + Errno.describe(errno)
                    + "); see what sluice serve reports there");
        }
        return new Welcome(in.getInt(), new ProcessOwner(in.getInt(), in.getInt()));
    }

    /** Returns true when this side or the peer permits no writing. */
    public boolean isReadOnly() {
        return settings.access() == MountSettings.Access.READ_ONLY;
    }

    /** Waits until the directory is unmounted. */
    public void await() throws InterruptedException {
        requests.join();
    }

    /**
     * Unmounts, after what was written has reached the peer, and closes the channel. A mount in use is detached: new
     * accesses do not find it, and files that are open in it fail. Idempotent.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (phase == Phase.MOUNTED) {
            device.unmount();
            phase = Phase.CLOSING;
            libc.signal(wakeUp);
        }
        boolean interrupted = Thread.interrupted();
        interrupted |= join(requests, settings.deadline());
        interrupted |= join(answers, settings.deadline());
        channel.abort();
        interrupted |= join(requests, END_LIMIT);
        interrupted |= join(answers, END_LIMIT);
        device.close();
        channel.close();
        state.close();
        requestReplies.close();
        answerReplies.close();
        libc.close(wakeUp);
        libc.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a thread that uses what is freed afterwards; returns whether this thread was interrupted meanwhile. */
    private static boolean join(Thread thread, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        boolean waiting = true;
        while (waiting) {
            try {
                waiting = !thread.join(Duration.ofNanos(end - System.nanoTime())) && end - System.nanoTime() > 0;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }

    // ---- the thread of the kernel's requests

    private void serveRequests() {
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment buffer = allocator.allocate(BUFFER_BYTES, Long.BYTES);
        MemorySegment pollFds = allocator.allocate(2L * PollFd.BYTES, Long.BYTES);
        PollFd.write(pollFds.address(), device.descriptor(), MountConstants.POLLIN);
        PollFd.write(pollFds.address() + PollFd.BYTES, wakeUp, MountConstants.POLLIN);
        try (LibCMounts mounts = new LibCMounts()) {
            serveRequests(mounts, buffer, pollFds);
        } finally {
            phase = Phase.UNMOUNTED;
            finish();
            allocator.free(buffer);
            allocator.free(pollFds);
        }
    }

    private void serveRequests(LibCMounts mounts, MemorySegment buffer, MemorySegment pollFds) {
        KernelRequest request = new KernelRequest(buffer.address());
        RequestHandler handler = new RequestHandler(state, settings, request, out, requestReplies, features);
        int pollMillis = Math.toIntExact(settings.pingInterval().toMillis());
        while (true) {
            long bytes = mounts.read(device.descriptor(), buffer.address(), BUFFER_BYTES);
            if (bytes >= FuseRequests.HEADER_BYTES) {
                request.received((int) bytes);
                serve(handler);
            } else if (bytes == -Errno.EAGAIN) {
                if (phase == Phase.CLOSING) {
                    return;
                }
                flush();
                mounts.poll(pollFds.address(), 2, pollMillis);
                ping(pollMillis);
            } else if (bytes != -Errno.EINTR && bytes != -Errno.ENOENT) {
                // ENODEV: unmounted.
                return;
            }
        }
    }

    private void serve(RequestHandler handler) {
        makeRoom();
        state.lock.lock();
        try {
            handler.handle();
        } finally {
            state.lock.unlock();
        }
    }

    /** Makes room in the batch and in the queue of calls; afterwards handling a request does not block. */
    private void makeRoom() {
        try {
            if (sending == Sending.OPEN) {
                out.makeRoom();
            }
        } catch (ChannelException e) {
            sendingFailed();
        }
        if (!hasRoom()) {
            flush();
            awaitRoom();
        }
    }

    private boolean hasRoom() {
        state.lock.lock();
        try {
            return state.peer == Peer.GONE || (sending == Sending.OPEN && state.calls.room() >= MAX_CALLS_PER_REQUEST);
        } finally {
            state.lock.unlock();
        }
    }

    private void awaitRoom() {
        state.lock.lock();
        try {
            while (!hasRoom()) {
                state.progress.awaitUninterruptibly();
            }
        } finally {
            state.lock.unlock();
        }
    }

    private void flush() {
        try {
            if (sending == Sending.OPEN && out.flush()) {
                sentNanos = System.nanoTime();
            }
        } catch (ChannelException e) {
            sendingFailed();
        }
    }

    private void sendingFailed() {
        sending = Sending.FAILED;
        channel.abort();
    }

    /** Keeps an idle connection alive, and notices a vanished peer. */
    private void ping(int intervalMillis) {
        if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sentNanos) < intervalMillis) {
            return;
        }
        state.lock.lock();
        try {
            if (state.peer == Peer.GONE || !state.calls.isEmpty()) {
                return;
            }
            state.calls.add(Call.Kind.IGNORED, 0);
            out.begin(FileOperation.PING);
            out.end();
        } finally {
            state.lock.unlock();
        }
        flush();
    }

    private void finish() {
        flush();
        try {
            if (sending == Sending.OPEN) {
                channel.finish();
            }
        } catch (ChannelException e) {
            sendingFailed();
        }
    }

    // ---- the thread of the peer's answers

    private void serveAnswers() {
        IOException cause;
        try {
            new AnswerHandler(state, in, answerReplies).run();
            cause = new ChannelException(ChannelFailure.PEER_FAILED, "the peer ended the conversation");
        } catch (ChannelException e) {
            cause = e;
        } catch (RuntimeException e) {
            cause = new IOException("mount: an answer could not be handled (" + e + "); report this defect", e);
        }
        channel.abort();
        state.lock.lock();
        try {
            state.peerGone(answerReplies);
        } finally {
            state.lock.unlock();
        }
        if (phase == Phase.MOUNTED) {
            lost.accept(cause);
        }
    }
}
