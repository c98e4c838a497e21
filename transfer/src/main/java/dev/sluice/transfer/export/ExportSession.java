package dev.sluice.transfer.export;

import dev.sluice.ffi.libc.DirectoryEntry;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.FileConstants;
import dev.sluice.ffi.libc.LibCFiles;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.Statfs;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelFailure;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.export.ExportSettings.Access;
import dev.sluice.transfer.export.ExportSettings.Attributes;
import dev.sluice.transfer.export.HandleTable.HandleUse;
import dev.sluice.transfer.files.FileAttributes;
import dev.sluice.transfer.files.FileOperation;
import dev.sluice.transfer.files.FileProtocol;
import dev.sluice.transfer.files.FrameReader;
import dev.sluice.transfer.files.FrameWriter;
import dev.sluice.transfer.files.ProcessOwner;
import dev.sluice.transfer.tree.Names;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The answers to the requests of one channel, in order. Confined to one thread. */
final class ExportSession implements AutoCloseable {
    /** The bytes of entries read at once; each takes at most four times as many on the wire. */
    private static final int LIST_BYTES = FileProtocol.MAX_PAGE_BYTES / 4;

    private static final byte[] USER_ATTRIBUTE = "user.".getBytes(StandardCharsets.US_ASCII);
    private static final int RENAME_FLAGS = FileConstants.RENAME_NOREPLACE;

    private final ExportSettings settings;
    private final ExportedTree tree;
    private final HandleTable handles;
    private final FrameReader in;
    private final FrameWriter out;
    private final ProcessOwner owner = ProcessOwner.current();
    private final FileAttributes attributes = new FileAttributes();
    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment buffer;

    /** Creates a session; nothing is received yet. */
    ExportSession(int root, ExportSettings settings, SecureChannel channel) {
        this.settings = settings;
        this.tree = new ExportedTree(root);
        this.handles = new HandleTable(settings.handles());
        this.in = new FrameReader(channel.incoming());
        this.out = new FrameWriter(channel);
        this.buffer = allocator.allocate(FileProtocol.MAX_ATTRIBUTE_BYTES, Long.BYTES);
    }

    @Override
    public void close() {
        handles.close();
        tree.close();
        allocator.free(buffer);
    }

    /** Answers until the peer ends its stream. */
    void run() throws ChannelException {
        while (in.next()) {
            out.makeRoom();
            answer(operation());
            if (!in.hasMore()) {
                out.flush();
            }
        }
        out.flush();
    }

    private FileOperation operation() throws ChannelException {
        byte code = in.get();
        FileOperation operation = FileOperation.of(code);
        if (operation == null) {
            throw protocol("operation " + code + " is unknown; update this side");
        }
        return operation;
    }

    private void answer(FileOperation operation) throws ChannelException {
        switch (operation) {
            case HELLO -> hello();
            case PING -> status(0);
            case STAT -> stat();
            case OPEN -> open();
            case CLOSE -> status(handles.remove(in.getInt()));
            case READ -> read();
            case WRITE -> write();
            case SYNC -> sync();
            case CHANGE -> change();
            case OPEN_DIRECTORY -> openDirectory();
            case LIST -> list();
            case MAKE_DIRECTORY -> makeDirectory();
            case REMOVE_FILE -> remove(0);
            case REMOVE_DIRECTORY -> remove(FileConstants.AT_REMOVEDIR);
            case RENAME -> rename();
            case LINK_SYMBOLICALLY -> linkSymbolically();
            case READ_LINK -> readLink();
            case FIGURES -> figures();
            case GET_ATTRIBUTE -> attribute();
            case SET_ATTRIBUTE -> setAttribute();
            case REMOVE_ATTRIBUTE -> removeAttribute();
            case LIST_ATTRIBUTES -> listAttributes();
        }
    }

    private void hello() throws ChannelException {
        if (in.getInt() != FileProtocol.MAGIC) {
            throw protocol("the peer speaks another version of the protocol; update the older side");
        }
        int flags = settings.access() == Access.READ_ONLY ? FileProtocol.READ_ONLY : 0;
        flags |= settings.attributes() == Attributes.USER ? FileProtocol.EXTENDED_ATTRIBUTES : 0;
        out.begin(0);
        out.putInt(flags);
        out.putInt(owner.user());
        out.putInt(owner.group());
        out.end();
    }

    // ---- answers

    /** Returns the errno of a result, 0 for none; one that only kernels know is EIO. */
    private static int errno(long result) {
        if (result >= 0) {
            return 0;
        }
        return -result <= FileProtocol.MAX_ERRNO ? (int) -result : Errno.EIO;
    }

    private void status(int result) {
        out.begin(errno(result));
        out.end();
    }

    private void attributes(int result) {
        out.begin(errno(result));
        if (result >= 0) {
            attributes.write(out);
        }
        out.end();
    }

    /** Answers with the attributes of a path after a successful change. */
    private void changed(int result, byte[] path) {
        attributes(result < 0 ? result : tree.stat(path, attributes));
    }

    private byte[] path() throws ChannelException {
        byte[] path = in.getBytes();
        if (!Names.isPath(path)) {
            throw protocol("path " + Names.printable(path) + " is none; the peer misbehaves");
        }
        return path;
    }

    private boolean isReadOnly() {
        return settings.access() == Access.READ_ONLY;
    }

    private static ChannelException protocol(String message) {
        return new ChannelException(ChannelFailure.PROTOCOL, "export: " + message);
    }

    // ---- attributes

    private void stat() throws ChannelException {
        int handle = in.getInt();
        byte[] path = path();
        if (handle == FileProtocol.NO_HANDLE) {
            attributes(tree.stat(path, attributes));
        } else {
            attributes(statHandle(handle));
        }
    }

    private int statHandle(int handle) {
        int descriptor = handles.descriptor(handle);
        return descriptor < 0 ? descriptor : tree.statDescriptor(descriptor, attributes);
    }

    private void change() throws ChannelException {
        Changes changes = Changes.read(in);
        int handle = in.getInt();
        byte[] path = path();
        if (isReadOnly()) {
            status(-Errno.EROFS);
        } else if (handle == FileProtocol.NO_HANDLE) {
            changed(tree.change(path, changes), path);
        } else {
            boolean sized = changes.has(FileProtocol.CHANGE_SIZE);
            int descriptor = sized ? handles.toWrite(handle) : handles.descriptor(handle);
            int result = descriptor < 0 ? descriptor : tree.changeDescriptor(descriptor, changes);
            attributes(result < 0 ? result : statHandle(handle));
        }
    }

    // ---- files

    private void open() throws ChannelException {
        int flags = in.getInt();
        int mode = in.getInt();
        byte[] path = path();
        int descriptor = openable(flags);
        if (descriptor == 0) {
            descriptor = tree.openRegular(path, nativeFlags(flags), mode);
        }
        opened(descriptor, use(flags));
    }

    private int openable(int flags) {
        if (isReadOnly() && (flags & ~FileProtocol.OPEN_READ) != 0) {
            return -Errno.EROFS;
        }
        return handles.isFull() ? -Errno.ENFILE : 0;
    }

    private static HandleUse use(int flags) {
        if ((flags & FileProtocol.OPEN_WRITE) == 0) {
            return HandleUse.READ;
        }
        return (flags & FileProtocol.OPEN_READ) == 0 ? HandleUse.WRITE : HandleUse.BOTH;
    }

    private static int nativeFlags(int flags) {
        int result = switch (use(flags)) {
            case WRITE -> FileConstants.O_WRONLY;
            case BOTH -> FileConstants.O_RDWR;
            default -> FileConstants.O_RDONLY;
        };
        result |= (flags & FileProtocol.OPEN_TRUNCATE) != 0 ? FileConstants.O_TRUNC : 0;
        result |= (flags & FileProtocol.OPEN_CREATE) != 0 ? FileConstants.O_CREAT : 0;
        return result | ((flags & FileProtocol.OPEN_EXCLUSIVE) != 0 ? FileConstants.O_EXCL : 0);
    }

    private void opened(int descriptor, HandleUse use) {
        int result = descriptor < 0 ? descriptor : tree.statDescriptor(descriptor, attributes);
        if (result < 0) {
            if (descriptor >= 0) {
                LibCFiles.closeFd(descriptor);
            }
            status(result);
            return;
        }
        out.begin(0);
        out.putInt(handles.add(descriptor, use));
        attributes.write(out);
        out.end();
    }

    private void read() throws ChannelException {
        int descriptor = handles.toRead(in.getInt());
        long offset = in.getLong();
        int bytes = in.getInt();
        if (bytes < 0 || bytes > FileProtocol.MAX_DATA_BYTES) {
            throw protocol("read of " + bytes + " bytes exceeds the limit; the peer misbehaves");
        }
        if (descriptor < 0) {
            status(descriptor);
            return;
        }
        out.begin(0);
        int done = 0;
        long result = 1;
        while (done < bytes && result > 0) {
            out.gather(bytes - done);
            result = tree.read(descriptor, out.iovecAddress(), out.iovecCount(), offset + done);
            out.filled((int) Math.max(result, 0));
            done += (int) Math.max(result, 0);
        }
        if (result < 0 && done == 0) {
            out.errno(errno(result));
        }
        out.end();
    }

    private void write() throws ChannelException {
        int descriptor = handles.toWrite(in.getInt());
        long offset = in.getLong();
        if (in.left() > FileProtocol.MAX_DATA_BYTES) {
            throw protocol("write of " + in.left() + " bytes exceeds the limit; the peer misbehaves");
        }
        long result = descriptor;
        while (in.left() > 0 && result >= 0) {
            in.scatter();
            result = tree.write(descriptor, in.iovecAddress(), in.iovecCount(), offset);
            if (result >= 0) {
                in.taken((int) result);
                offset += result;
            }
        }
        in.skip();
        status((int) Math.min(result, 0));
    }

    private void sync() throws ChannelException {
        int descriptor = handles.descriptor(in.getInt());
        in.get();
        status(descriptor < 0 ? descriptor : tree.sync(descriptor));
    }

    // ---- directories

    private void openDirectory() throws ChannelException {
        byte[] path = path();
        int descriptor = handles.isFull() ? -Errno.ENFILE : tree.openDirectory(path);
        if (descriptor < 0) {
            status(descriptor);
            return;
        }
        out.begin(0);
        out.putInt(handles.add(descriptor, HandleUse.LIST));
        out.end();
    }

    private void list() throws ChannelException {
        int directory = handles.toList(in.getInt());
        long cookie = in.getLong();
        out.begin(0);
        int empty = out.length();
        long result = directory < 0 ? directory : tree.seek(directory, cookie);
        boolean more = result >= 0;
        while (more) {
            result = tree.list(directory, buffer.address(), LIST_BYTES);
            entries(directory, buffer.address() + Math.max(result, 0));
            // No entries mean the end: where all of a page have vanished, the next page answers.
            more = result > 0 && out.length() == empty;
        }
        if (result < 0) {
            out.errno(errno(result));
        }
        out.end();
    }

    private void entries(int directory, long end) {
        for (long at = buffer.address(); at < end; at += DirectoryEntry.length(at)) {
            entry(directory, at);
        }
    }

    /** Appends an entry; ".." has the attributes of ".", since what is above is not exported. */
    private void entry(int directory, long at) {
        byte[] name = DirectoryEntry.name(at);
        boolean above = name.length == 2 && name[0] == '.' && name[1] == '.';
        if (tree.statEntry(directory, above ? new byte[] {'.'} : name, attributes) >= 0) {
            out.putLong(RawMemory.getLong(at + DirectoryEntry.COOKIE_OFFSET));
            attributes.write(out);
            out.putBytes(name);
        }
    }

    private void makeDirectory() throws ChannelException {
        int mode = in.getInt();
        byte[] path = path();
        changed(isReadOnly() ? -Errno.EROFS : tree.makeDirectory(path, mode), path);
    }

    private void remove(int flags) throws ChannelException {
        byte[] path = path();
        status(isReadOnly() ? -Errno.EROFS : tree.remove(path, flags));
    }

    private void rename() throws ChannelException {
        int flags = in.getInt();
        byte[] from = path();
        byte[] to = path();
        if (isReadOnly()) {
            status(-Errno.EROFS);
        } else {
            status((flags & ~RENAME_FLAGS) != 0 ? -Errno.EINVAL : tree.rename(from, to, flags));
        }
    }

    private void linkSymbolically() throws ChannelException {
        byte[] path = path();
        byte[] target = in.getBytes();
        if (target.length > Names.PATH_MAX) {
            throw protocol("target of " + target.length + " bytes; the peer misbehaves");
        }
        changed(isReadOnly() ? -Errno.EROFS : tree.linkSymbolically(path, target), path);
    }

    private void readLink() throws ChannelException {
        data(tree.readLink(path(), buffer.address(), Names.PATH_MAX));
    }

    /** Answers with bytes of the buffer, or an errno. */
    private void data(long result) {
        out.begin(errno(result));
        out.putData(buffer, 0, (int) Math.max(result, 0));
        out.end();
    }

    private void figures() {
        long figures = tree.figures();
        out.begin(errno(figures));
        if (figures >= 0) {
            out.putInt((int) RawMemory.getLong(figures + Statfs.FRAGMENT_SIZE_OFFSET));
            out.putInt((int) RawMemory.getLong(figures + Statfs.NAME_BYTES_OFFSET));
            out.putLong(RawMemory.getLong(figures + Statfs.BLOCKS_OFFSET));
            out.putLong(RawMemory.getLong(figures + Statfs.FREE_OFFSET));
            out.putLong(RawMemory.getLong(figures + Statfs.AVAILABLE_OFFSET));
            out.putLong(RawMemory.getLong(figures + Statfs.FILES_OFFSET));
            out.putLong(RawMemory.getLong(figures + Statfs.FREE_FILES_OFFSET));
        }
        out.end();
    }

    // ---- extended attributes

    /** A use of the attributes of an open file. */
    @FunctionalInterface
    private interface AttributeCall {
        long on(int descriptor);
    }

    private long onAttributes(byte[] path, AttributeCall call) {
        int descriptor = settings.attributes() == Attributes.NONE ? -Errno.EOPNOTSUPP : tree.openForAttributes(path);
        if (descriptor < 0) {
            return descriptor;
        }
        long result = call.on(descriptor);
        LibCFiles.closeFd(descriptor);
        return result;
    }

    private byte[] attributeName() throws ChannelException {
        byte[] name = in.getBytes();
        if (name.length > Names.NAME_MAX) {
            throw protocol("attribute name of " + name.length + " bytes; the peer misbehaves");
        }
        return name;
    }

    private static boolean isUserAttribute(byte[] name) {
        return name.length > USER_ATTRIBUTE.length
                && Arrays.equals(name, 0, USER_ATTRIBUTE.length, USER_ATTRIBUTE, 0, USER_ATTRIBUTE.length);
    }

    private void attribute() throws ChannelException {
        byte[] path = path();
        byte[] name = attributeName();
        data(
                isUserAttribute(name)
                        ? onAttributes(path, file -> tree.attribute(file, name, buffer.address(), bufferBytes()))
                        : -Errno.EOPNOTSUPP);
    }

    private void setAttribute() throws ChannelException {
        byte[] path = path();
        byte[] name = attributeName();
        int flags = in.getInt();
        int bytes = in.left();
        if (bytes > bufferBytes()) {
            throw protocol("attribute of " + bytes + " bytes; the peer misbehaves");
        }
        in.getData(buffer, 0, bytes);
        if (isReadOnly()) {
            status(-Errno.EROFS);
        } else {
            long result = isUserAttribute(name)
                    ? onAttributes(path, file -> tree.setAttribute(file, name, buffer.address(), bytes, flags))
                    : -Errno.EOPNOTSUPP;
            status((int) result);
        }
    }

    private void removeAttribute() throws ChannelException {
        byte[] path = path();
        byte[] name = attributeName();
        if (isReadOnly()) {
            status(-Errno.EROFS);
        } else {
            status((int)
                    (isUserAttribute(name)
                            ? onAttributes(path, file -> tree.removeAttribute(file, name))
                            : -Errno.EOPNOTSUPP));
        }
    }

    private void listAttributes() throws ChannelException {
        long bytes = onAttributes(path(), file -> tree.listAttributes(file, buffer.address(), bufferBytes()));
        data(bytes < 0 ? bytes : keepUserAttributes((int) bytes));
    }

    /** Moves the user attributes' names to the front of the buffer; returns their bytes. */
    private int keepUserAttributes(int bytes) {
        byte[] names = new byte[bytes];
        RawMemory.copy(buffer.address(), names, 0, bytes);
        int kept = 0;
        int start = 0;
        for (int i = 0; i < bytes; i++) {
            if (names[i] == 0) {
                if (isUserAttribute(Arrays.copyOfRange(names, start, i))) {
                    RawMemory.copy(names, start, buffer.address() + kept, i + 1 - start);
                    kept += i + 1 - start;
                }
                start = i + 1;
            }
        }
        return kept;
    }

    private int bufferBytes() {
        return (int) buffer.byteSize();
    }
}
