package dev.sluice.transfer.mount;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.FileConstants;
import dev.sluice.ffi.libc.LibCFiles;
import dev.sluice.ffi.libc.LibCMounts;
import dev.sluice.ffi.libc.MountConstants;
import dev.sluice.transfer.files.ProcessOwner;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;

/** The open FUSE device of one mount, and the mount itself. Only {@link #unmount} may be called by any thread. */
final class FuseDevice implements AutoCloseable {
    /** The kernel's device. */
    static final Path DEVICE = Path.of("/dev/fuse");

    private static final String TYPE = "sluice";
    private static final String KERNEL_TYPE = "fuse." + TYPE;

    /** The way to mount and unmount. */
    enum Way {
        /** By mount(2), for root. */
        SYSTEM_CALL,
        /** By {@link FuseHelper}, for everybody else. */
        HELPER;

        /** Returns the way of a user. */
        static Way of(ProcessOwner owner) {
            return owner.user() == 0 ? SYSTEM_CALL : HELPER;
        }
    }

    private final int descriptor;
    private final Path target;
    private final Way way;

    private FuseDevice(int descriptor, Path target, Way way) {
        this.descriptor = descriptor;
        this.target = target;
        this.way = way;
    }

    /**
     * Opens the device and mounts.
     *
     * @param source the name of the peer, for the table of mounts
     * @param target the real path of an existing directory
     * @throws MountException when the machine has no FUSE, or this user may not mount
     */
    static FuseDevice mount(String source, Path target, MountSettings settings, ProcessOwner owner, Way way)
            throws MountException {
        if (Files.notExists(DEVICE)) {
            throw new MountException("mount: this machine has no " + DEVICE
                    + "; load the kernel module (modprobe fuse), or start the container with --device " + DEVICE);
        }
        requireUnused(target);
        int descriptor = way == Way.SYSTEM_CALL
                ? mount(source, target, settings, owner)
                : FuseHelper.INSTALLED.mount(helperOptions(source, settings), target);
        KernelReadAhead.raise(target);
        return new FuseDevice(descriptor, target, way);
    }

    /** Refuses to cover another mount of this kind, whose unmount would end the upper one instead. */
    private static void requireUnused(Path target) throws MountException {
        MountTable.Line mount;
        try {
            mount = MountTable.latest(target);
        } catch (IOException e) {
            throw new MountException("mount: cannot see what is mounted on " + target + " (" + e + "); mount /proc");
        }
        if (mount != null && mount.type().equals(KERNEL_TYPE)) {
            throw new MountException("mount: " + target + " is mounted already; name another directory, or run umount "
                    + target + " first");
        }
    }

    private static int mount(String source, Path target, MountSettings settings, ProcessOwner owner)
            throws MountException {
        try (Arena arena = Arena.ofConfined();
                LibCFiles files = new LibCFiles();
                LibCMounts mounts = new LibCMounts()) {
            int flags = FileConstants.O_RDWR | FileConstants.O_CLOEXEC | Constants.O_NONBLOCK;
            long device = arena.allocateFrom(DEVICE.toString()).address();
            int descriptor = files.openat(FileConstants.AT_FDCWD, device, flags, 0);
            if (descriptor < 0) {
                throw new MountException("mount: cannot open " + DEVICE + " (" + Errno.describe(descriptor)
                        + "); load the kernel module (modprobe fuse), or start the container with --device " + DEVICE);
            }
            int result = mounts.mount(
                    arena.allocateFrom(source).address(),
                    arena.allocateFrom(target.toString()).address(),
                    arena.allocateFrom(KERNEL_TYPE).address(),
                    mountFlags(settings),
                    arena.allocateFrom(options(descriptor, settings, owner)).address());
            if (result < 0) {
                LibCFiles.closeFd(descriptor);
                throw new MountException("mount: cannot mount on " + target + " (" + Errno.describe(result) + "); "
                        + (result == -Errno.EPERM
                                ? "start the container with --cap-add SYS_ADMIN"
                                : "name an existing directory"));
            }
            return descriptor;
        }
    }

    private static long mountFlags(MountSettings settings) {
        int flags = MountConstants.MS_NOSUID | MountConstants.MS_NODEV;
        return settings.access() == MountSettings.Access.READ_ONLY ? flags | MountConstants.MS_RDONLY : flags;
    }

    private static String options(int descriptor, MountSettings settings, ProcessOwner owner) {
        return "fd=" + descriptor + ",rootmode=40000,user_id=" + owner.user() + ",group_id=" + owner.group()
                + audience(settings);
    }

    /** Returns the options of fusermount3, where a comma separates and a backslash escapes. */
    private static String helperOptions(String source, MountSettings settings) {
        String name = source.replace("\\", "\\\\").replace(",", "\\,");
        String access = settings.access() == MountSettings.Access.READ_ONLY ? "ro" : "rw";
        return "fsname=" + name + ",subtype=" + TYPE + ",nosuid,nodev," + access + audience(settings);
    }

    private static String audience(MountSettings settings) {
        return settings.audience() == MountSettings.Audience.EVERYBODY ? ",allow_other,default_permissions" : "";
    }

    /** Returns the non-blocking descriptor. */
    int descriptor() {
        return descriptor;
    }

    /** Ends the mount at once for new accesses; files in use stay so until the device is closed. Idempotent. */
    void unmount() {
        if (way == Way.HELPER) {
            FuseHelper.INSTALLED.unmount(target);
            return;
        }
        try (Arena arena = Arena.ofConfined();
                LibCMounts mounts = new LibCMounts()) {
            long path = arena.allocateFrom(target.toString()).address();
            if (mounts.umount2(path, 0) == -Errno.EBUSY) {
                mounts.umount2(path, MountConstants.MNT_DETACH);
            }
        }
    }

    @Override
    public void close() {
        LibCFiles.closeFd(descriptor);
    }
}
