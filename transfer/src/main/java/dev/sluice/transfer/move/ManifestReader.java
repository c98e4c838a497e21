package dev.sluice.transfer.move;

import dev.sluice.transfer.tree.Entry;
import dev.sluice.transfer.tree.EntryCodec;
import dev.sluice.transfer.tree.EntryKind;
import dev.sluice.transfer.tree.FieldReader;
import dev.sluice.transfer.tree.Names;
import dev.sluice.transfer.tree.PartialFile;
import dev.sluice.transfer.tree.TargetDirectory;
import dev.sluice.transfer.tree.TargetFiles;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * A reader of the manifest, page by page: creates directories and links, and queues the files that the target lacks.
 * When the first stream was lost, the source lists from the start: the entries read before are passed over, and their
 * kinds and names must have the same hash. Confined to the thread of the first stream.
 */
final class ManifestReader {
    private final ReceiverSession session;
    private final MessageDigest hash = sha256();
    private TargetDirectory current;
    private long entriesRead;

    /** The entries of a repeated manifest that were passed over, and their hash. */
    private long entriesRepeated;

    private MessageDigest repeatedHash = sha256();
    private int depth;

    /** Levels below a directory that failed, whose entries are passed over; 0 outside of one. */
    private int lostLevels;

    ManifestReader(ReceiverSession session) {
        this.session = session;
        this.current = session.tree().root();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Expects the first page, of a first stream that is new or was opened again. */
    void begin() {
        entriesRepeated = 0;
        repeatedHash = sha256();
    }

    /**
     * Reads a page.
     *
     * @param files of the calling thread
     * @return whether it had entries that were not read before
     */
    boolean page(FieldReader in, boolean last, TargetFiles files) throws TransferException {
        boolean progress = false;
        while (in.remaining() > 0) {
            Entry entry = EntryCodec.read(in);
            if (entriesRepeated < entriesRead) {
                repeat(entry);
            } else {
                update(hash, entry);
                entriesRead++;
                entriesRepeated++;
                entry(entry, files);
                progress = true;
            }
        }
        if (last) {
            if (entriesRepeated < entriesRead) {
                throw changed();
            }
            if (depth != 0) {
                throw violation("the manifest ends inside a directory: levels=" + depth);
            }
            session.completed(current, files);
            session.endManifest();
        }
        return progress || last;
    }

    private void repeat(Entry entry) throws TransferException {
        update(repeatedHash, entry);
        entriesRepeated++;
        if (entriesRepeated == entriesRead
                && !Arrays.equals(repeatedHash.digest(), copy(hash).digest())) {
            throw changed();
        }
    }

    private static void update(MessageDigest digest, Entry entry) {
        digest.update((byte) entry.kind().code());
        digest.update((byte) entry.name().length);
        digest.update(entry.name());
    }

    private static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("every JDK's SHA-256 can be copied", e);
        }
    }

    private TransferException changed() {
        return new TransferException(
                TransferFailure.TREE_CHANGED, "manifest repeated with other entries: read=" + entriesRead);
    }

    private void entry(Entry entry, TargetFiles files) throws TransferException {
        if (entry.kind() == EntryKind.END) {
            leave(files);
            return;
        }
        if (Names.isTemporary(entry.name())) {
            throw new TransferException(
                    TransferFailure.UNSAFE_NAME, "manifest rejected: name=" + Names.printable(entry.name()));
        }
        if (!entry.attributes().isEmpty() && !session.options().wantsAttributes()) {
            throw violation("attributes that nobody asked for: name=" + Names.printable(entry.name()));
        }
        if (lostLevels > 0) {
            lostLevels += entry.kind() == EntryKind.DIRECTORY ? 1 : 0;
            depth += entry.kind() == EntryKind.DIRECTORY ? 1 : 0;
            checkDepth();
            return;
        }
        byte[] path = Names.join(current.path(), entry.name());
        if (path.length > Names.PATH_MAX) {
            throw violation("path too long: bytes=" + path.length);
        }
        try {
            dispatch(entry, path, files);
        } catch (TransferException e) {
            if (e.failure().scope() == TransferFailure.Scope.SESSION) {
                throw e;
            }
            session.failed(path, e);
        }
    }

    private void dispatch(Entry entry, byte[] path, TargetFiles files) throws TransferException {
        switch (entry.kind()) {
            case DIRECTORY -> enter(entry, files);
            case FILE -> file(entry, path, files);
            case SYMLINK -> link(entry, path, files);
            case SKIPPED ->
                session.failed(path, new TransferException(entry.failure(), "not sent: path=" + Names.printable(path)));
            case END -> throw new AssertionError("handled before");
        }
    }

    private void enter(Entry entry, TargetFiles files) throws TransferException {
        depth++;
        checkDepth();
        try {
            current = isDryRun() ? files.enterWithoutWriting(current, entry) : files.enter(current, entry);
        } catch (TransferException e) {
            lostLevels = 1;
            throw e;
        }
    }

    private void leave(TargetFiles files) throws TransferException {
        if (depth == 0) {
            throw violation("the manifest ends a directory that it did not begin");
        }
        depth--;
        if (lostLevels > 0) {
            lostLevels--;
            return;
        }
        TargetDirectory left = current;
        TargetDirectory parent = left.parent();
        if (parent == null) {
            throw new IllegalStateException("the root was left at depth " + depth);
        }
        current = parent;
        session.completed(left, files);
    }

    private void link(Entry entry, byte[] path, TargetFiles files) throws TransferException {
        if (isDryRun()) {
            files.checkLink(current, entry, path);
            session.settled(new TransferEvent.Planned(path, 0));
        } else if (files.link(current, entry)) {
            session.settled(new TransferEvent.Completed(path, 0, 0));
        } else {
            session.settled(new TransferEvent.Unchanged(path, 0));
        }
    }

    private void file(Entry entry, byte[] path, TargetFiles files) throws TransferException {
        session.progress().listed(entry.size());
        try {
            compare(entry, path, files);
        } catch (TransferException e) {
            session.progress().fileDone();
            throw e;
        }
    }

    private void compare(Entry entry, byte[] path, TargetFiles files) throws TransferException {
        TargetFiles.Presence presence = files.presence(current, entry);
        if (presence == TargetFiles.Presence.SAME) {
            if (!isDryRun()) {
                files.refreshPermissions(current, entry);
            }
            session.progress().skipped(entry.size());
            session.progress().fileDone();
            session.settled(new TransferEvent.Unchanged(path, entry.size()));
        } else if (isDryRun()) {
            session.progress().fileDone();
            session.settled(new TransferEvent.Planned(path, entry.size()));
        } else if (entry.size() == 0) {
            PartialFile empty = files.open(current, entry, false);
            files.complete(empty);
            session.progress().fileDone();
            session.settled(new TransferEvent.Completed(path, 0, 0));
        } else {
            current.entered();
            session.add(new FileTransfer(current, entry, presence));
        }
    }

    private boolean isDryRun() {
        return session.options().mode() == ReceiverOptions.Mode.DRY_RUN;
    }

    private void checkDepth() throws TransferException {
        if (depth > Names.DEPTH_MAX) {
            throw violation("too many levels: levels=" + depth);
        }
    }

    private static TransferException violation(String event) {
        return new TransferException(TransferFailure.PROTOCOL_VIOLATION, event);
    }
}
