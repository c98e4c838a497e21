package dev.sluice.ffi.libc;

/** Constants of the C library's headers for mounts; a test compares each with its header. */
public final class MountConstants {
    // sys/mount.h
    /** Mounts read-only. */
    public static final int MS_RDONLY = 1;
    /** Ignores set-user-ID bits. */
    public static final int MS_NOSUID = 2;
    /** Gives no access to devices. */
    public static final int MS_NODEV = 4;
    /** Detaches a busy mount at once, and unmounts it after its last use. */
    public static final int MNT_DETACH = 2;

    // poll.h
    /** There is something to read. */
    public static final int POLLIN = 1;

    private MountConstants() {}
}
