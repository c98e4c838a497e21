package dev.sluice.transfer.tree;

/**
 * The reasons for which a file or a whole transfer fails. The {@link #code()} goes over the wire and is never reused;
 * the name in lower case is the label in events.
 */
public enum TransferFailure {
    /** No failure. */
    NONE(0, Scope.FILE, "no failure"),
    /** The file is gone, or is not part of what is offered. */
    NOT_FOUND(1, Scope.FILE, "the file does not exist or is excluded"),
    /** The file system denies access. */
    PERMISSION_DENIED(2, Scope.FILE, "permission denied"),
    /** Size or time differ from the manifest's. */
    SOURCE_CHANGED(3, Scope.FILE, "the source changed while it was sent; transfer it again"),
    /** Neither a directory, a regular file nor a symbolic link. */
    SPECIAL_FILE(4, Scope.FILE, "sockets, pipes and devices are not sent"),
    /** More levels or a longer path than the protocol has room for. */
    TOO_DEEP(5, Scope.FILE, "the path is too long or has too many levels"),
    /** Another kind of file has the name in the target. */
    OCCUPIED(6, Scope.FILE, "another kind of file has this name in the target; remove it first"),
    /** The file exists, and existing files are kept. */
    KEPT(7, Scope.FILE, "the file exists already and is kept"),
    /** Another transfer writes the file. */
    BUSY(8, Scope.FILE, "another transfer writes this file"),
    /** The bytes received have another hash than the source computed. */
    CHECKSUM_MISMATCH(9, Scope.FILE, "the bytes received differ from the source's checksum; transfer the file again"),
    /** The symbolic link leads out of the tree, and such links are refused. */
    LINK_LEAVES_TREE(10, Scope.FILE, "the symbolic link leads out of the tree"),
    /** An error of the device or the file system. */
    IO_ERROR(11, Scope.FILE, "the file system reported an error"),
    /** The file is larger than the target's file system permits. */
    FILE_TOO_LARGE(12, Scope.FILE, "the file is too large for the target's file system"),

    /** The target's file system or quota is full. */
    DISK_FULL(32, Scope.SESSION, "no space is left in the target; free some and repeat the command to resume"),
    /** The target's file system is mounted read-only. */
    READ_ONLY(33, Scope.SESSION, "the target's file system is read-only"),
    /** Descriptors or memory are exhausted. */
    RESOURCES(34, Scope.SESSION, "descriptors or memory are exhausted; raise `ulimit -n`"),
    /** The peer broke the protocol. */
    PROTOCOL_VIOLATION(35, Scope.SESSION, "the peer broke the protocol"),
    /** The peer sent a name that could lead out of the target. */
    UNSAFE_NAME(36, Scope.SESSION, "the peer sent a name that could leave the target directory"),
    /** No version in common. */
    VERSION_MISMATCH(37, Scope.SESSION, "the peers have no protocol version in common; update the older one"),
    /** The peer is gone: its stream ended early, or nothing arrived for too long. */
    PEER_VANISHED(38, Scope.SESSION, "the peer is gone; repeat the command to resume"),
    /** The path asked for does not exist at the source. */
    NO_SUCH_PATH(39, Scope.SESSION, "the source does not offer this path"),
    /** The transfer was cancelled on one side. */
    CANCELLED(40, Scope.SESSION, "the transfer was cancelled; repeat the command to resume"),
    /** A fault of this program. */
    INTERNAL(41, Scope.SESSION, "internal error; report it with its stack trace"),
    /** The peer does not permit what was asked for. */
    REFUSED(42, Scope.SESSION, "the peer does not permit this; see its options"),
    /** The source has other entries than before the first stream was lost. */
    TREE_CHANGED(43, Scope.SESSION, "files came or went while the connection was lost; repeat the command to resume");

    /** The extent of a failure. */
    public enum Scope {
        /** One file fails; the transfer continues. */
        FILE,
        /** The transfer ends. */
        SESSION
    }

    private static final TransferFailure[] BY_CODE = new TransferFailure[64];

    static {
        for (TransferFailure failure : values()) {
            BY_CODE[failure.code] = failure;
        }
    }

    private final int code;
    private final Scope scope;
    private final String text;

    TransferFailure(int code, Scope scope, String text) {
        this.code = code;
        this.scope = scope;
        this.text = text;
    }

    /** Returns the number on the wire. */
    public int code() {
        return code;
    }

    /** Returns the extent of the failure. */
    public Scope scope() {
        return scope;
    }

    /** Returns cause and remedy, for people. */
    public String text() {
        return text;
    }

    /** Returns the failure with a number; {@link #PROTOCOL_VIOLATION} for an unknown one. */
    public static TransferFailure of(int code) {
        TransferFailure failure = code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
        return failure == null ? PROTOCOL_VIOLATION : failure;
    }
}
