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

/**
 * A reader of the manifest, page by page: creates directories and links, and queues the files that the target lacks.
 * Confined to the thread of the first stream.
 */
final class ManifestReader {
    private final ReceiverSession session;
    private final TargetFiles files;
    private TargetDirectory current;
    private int depth;

    /** Levels below a directory that failed, whose entries are passed over; 0 outside of one. */
    private int lostLevels;

    ManifestReader(ReceiverSession session, TargetFiles files) {
        this.session = session;
        this.files = files;
        this.current = session.tree().root();
    }

    /** Reads a page. */
    void page(FieldReader in, boolean last) throws TransferException {
        while (in.remaining() > 0) {
            entry(EntryCodec.read(in));
        }
        if (last) {
            if (depth != 0) {
                throw violation("the manifest ends inside a directory: levels=" + depth);
            }
            session.completed(current, files);
            session.endManifest();
        }
    }

    private void entry(Entry entry) throws TransferException {
        if (entry.kind() == EntryKind.END) {
            leave();
            return;
        }
        if (Names.isTemporary(entry.name())) {
            throw new TransferException(
                    TransferFailure.UNSAFE_NAME, "manifest rejected: name=" + Names.printable(entry.name()));
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
            dispatch(entry, path);
        } catch (TransferException e) {
            if (e.failure().scope() == TransferFailure.Scope.SESSION) {
                throw e;
            }
            session.failed(path, e);
        }
    }

    private void dispatch(Entry entry, byte[] path) throws TransferException {
        switch (entry.kind()) {
            case DIRECTORY -> enter(entry);
            case FILE -> file(entry, path);
            case SYMLINK -> link(entry, path);
            case SKIPPED ->
                session.failed(path, new TransferException(entry.failure(), "not sent: path=" + Names.printable(path)));
            case END -> throw new AssertionError("handled before");
        }
    }

    private void enter(Entry entry) throws TransferException {
        depth++;
        checkDepth();
        try {
            current = isDryRun() ? files.enterWithoutWriting(current, entry) : files.enter(current, entry);
        } catch (TransferException e) {
            lostLevels = 1;
            throw e;
        }
    }

    private void leave() throws TransferException {
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

    private void link(Entry entry, byte[] path) throws TransferException {
        if (isDryRun()) {
            files.checkLink(current, entry, path);
            session.settled(new TransferEvent.Planned(path, 0));
        } else if (files.link(current, entry)) {
            session.settled(new TransferEvent.Completed(path, 0, 0));
        } else {
            session.settled(new TransferEvent.Unchanged(path, 0));
        }
    }

    private void file(Entry entry, byte[] path) throws TransferException {
        session.progress().listed(entry.size());
        try {
            compare(entry, path);
        } catch (TransferException e) {
            session.progress().fileDone();
            throw e;
        }
    }

    private void compare(Entry entry, byte[] path) throws TransferException {
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
