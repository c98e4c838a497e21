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
import java.nio.file.Path;

/** The open FUSE device of one mount, and the mount itself. Only {@link #unmount} may be called by any thread. */
final class FuseDevice implements AutoCloseable {
    /** The kernel's device. */
    static final Path DEVICE = Path.of("/dev/fuse");

    private static final String TYPE = "fuse.sluice";

    private final int descriptor;
    private final Path target;

    private FuseDevice(int descriptor, Path target) {
        this.descriptor = descriptor;
        this.target = target;
    }

    /**
     * Opens the device and mounts.
     *
     * @param source the name of the peer, for the table of mounts
     * @param target an existing directory
     * @throws IOException when the machine has no FUSE, or this user may not mount
     */
    static FuseDevice mount(String source, Path target, MountSettings settings, ProcessOwner owner) throws IOException {
        try (Arena arena = Arena.ofConfined();
                LibCFiles files = new LibCFiles();
                LibCMounts mounts = new LibCMounts()) {
            int flags = FileConstants.O_RDWR | FileConstants.O_CLOEXEC | Constants.O_NONBLOCK;
            long device = arena.allocateFrom(DEVICE.toString()).address();
            int descriptor = files.openat(FileConstants.AT_FDCWD, device, flags, 0);
            if (descriptor < 0) {
                throw new IOException("mount: cannot open " + DEVICE + " (" + Errno.describe(descriptor)
                        + "); load the kernel module: modprobe fuse");
            }
            int result = mounts.mount(
                    arena.allocateFrom(source).address(),
                    arena.allocateFrom(target.toString()).address(),
                    arena.allocateFrom(TYPE).address(),
                    mountFlags(settings),
                    arena.allocateFrom(options(descriptor, settings, owner)).address());
            if (result < 0) {
                LibCFiles.closeFd(descriptor);
                throw new IOException("mount: cannot mount on " + target + " (" + Errno.describe(result) + "); "
                        + (result == -Errno.EPERM ? "mount as root" : "name an existing directory"));
            }
            return new FuseDevice(descriptor, target);
        }
    }

    private static long mountFlags(MountSettings settings) {
        int flags = MountConstants.MS_NOSUID | MountConstants.MS_NODEV;
        return settings.access() == MountSettings.Access.READ_ONLY ? flags | MountConstants.MS_RDONLY : flags;
    }

    private static String options(int descriptor, MountSettings settings, ProcessOwner owner) {
        String options = "fd=" + descriptor + ",rootmode=40000,user_id=" + owner.user() + ",group_id=" + owner.group();
        return settings.audience() == MountSettings.Audience.EVERYBODY
                ? options + ",allow_other,default_permissions"
                : options;
    }

    /** Returns the non-blocking descriptor. */
    int descriptor() {
        return descriptor;
    }

    /** Ends the mount at once for new accesses; files in use stay so until the device is closed. Idempotent. */
    void unmount() {
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
