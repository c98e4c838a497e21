package dev.sluice.tls.certificate;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A NUL-terminated secret in native memory, wiped at close. It never reaches the Java heap, where the collector would
 * copy it. Confined to one thread.
 */
final class SecretBytes implements AutoCloseable {
    /** The maximum size: authority bundles have some hundred kilobytes; anything longer is another file. */
    static final int MOST = 1 << 24;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory;
    private int length;

    private SecretBytes(int capacity) {
        this.memory = arena.allocate(capacity + 1L);
    }

    /** Creates an empty secret. */
    static SecretBytes none() {
        return new SecretBytes(0);
    }

    /** Creates a copy. */
    static SecretBytes of(byte[] bytes) {
        SecretBytes secret = new SecretBytes(bytes.length);
        MemorySegment.copy(bytes, 0, secret.memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
        secret.length = bytes.length;
        return secret;
    }

    /** Reads a file of at most {@value #MOST} bytes. */
    static SecretBytes read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() > MOST) {
                throw new IOException("it has " + channel.size() + " bytes; at most " + MOST + " are allowed");
            }
            SecretBytes secret = new SecretBytes((int) channel.size());
            try {
                secret.fill(channel);
                return secret;
            } catch (IOException | RuntimeException e) {
                secret.close();
                throw e;
            }
        }
    }

    private void fill(FileChannel channel) throws IOException {
        ByteBuffer buffer = memory.asSlice(0, memory.byteSize() - 1).asByteBuffer();
        while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
            // until the end, which may come early
        }
        length = buffer.position();
    }

    /** Returns the bytes. */
    MemorySegment bytes() {
        return memory.asSlice(0, length);
    }

    /** Returns the bytes with the terminating NUL. */
    MemorySegment terminated() {
        return memory.asSlice(0, length + 1L);
    }

    boolean isEmpty() {
        return length == 0;
    }

    /** Returns whether the bytes contain an ASCII text. */
    boolean contains(String text) {
        byte[] wanted = text.getBytes(StandardCharsets.US_ASCII);
        for (int at = 0; at + wanted.length <= length; at++) {
            if (isAt(at, wanted)) {
                return true;
            }
        }
        return false;
    }

    private boolean isAt(int at, byte[] wanted) {
        for (int i = 0; i < wanted.length; i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, (long) at + i) != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    /** Truncates the secret to its first line, without the line terminator. */
    SecretBytes firstLine() {
        int end = 0;
        while (end < length && !isLineEnd(memory.get(ValueLayout.JAVA_BYTE, end))) {
            end++;
        }
        memory.asSlice(end).fill((byte) 0);
        length = end;
        return this;
    }

    private static boolean isLineEnd(byte b) {
        return b == '\n' || b == '\r' || b == 0;
    }

    @Override
    public void close() {
        memory.fill((byte) 0);
        arena.close();
    }
}
