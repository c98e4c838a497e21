package dev.sluice.transfer.tree;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Names and relative paths as raw bytes, as the kernel knows them: no encoding is assumed.
 *
 * <p>A name is one component: 1 to {@link #NAME_MAX} bytes, no slash, no NUL, neither "." nor "..". A path is names
 * joined by slashes, at most {@link #PATH_MAX} bytes; the empty path is the root.
 */
public final class Names {
    /** The most bytes of a name (NAME_MAX of limits.h). */
    public static final int NAME_MAX = 255;
    /** The most bytes of a path: PATH_MAX of limits.h without the final NUL. */
    public static final int PATH_MAX = 4095;
    /** The most directories that contain one another. */
    public static final int DEPTH_MAX = 256;

    private static final byte[] TEMPORARY_PREFIX = ".sluice-".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TEMPORARY_SUFFIX = ".part".getBytes(StandardCharsets.US_ASCII);
    private static final int TEMPORARY_HASH_DIGITS = 32;
    private static final int TEMPORARY_BYTES =
            TEMPORARY_PREFIX.length + TEMPORARY_HASH_DIGITS + TEMPORARY_SUFFIX.length;

    private Names() {}

    /** Returns whether bytes are a name. */
    public static boolean isName(byte[] name) {
        return name.length <= NAME_MAX && isComponent(name, 0, name.length);
    }

    /** Returns whether bytes are a path; the empty one is. */
    public static boolean isPath(byte[] path) {
        if (path.length == 0) {
            return true;
        }
        if (path.length > PATH_MAX) {
            return false;
        }
        int start = 0;
        int depth = 0;
        for (int i = 0; i <= path.length; i++) {
            if (i == path.length || path[i] == '/') {
                if (i - start > NAME_MAX || !isComponent(path, start, i) || ++depth > DEPTH_MAX + 1) {
                    return false;
                }
                start = i + 1;
            }
        }
        return true;
    }

    private static boolean isComponent(byte[] bytes, int from, int to) {
        int length = to - from;
        boolean dots = length > 0 && length <= 2 && bytes[from] == '.' && bytes[to - 1] == '.';
        if (length == 0 || dots) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (bytes[i] == 0 || bytes[i] == '/') {
                return false;
            }
        }
        return true;
    }

    /** Returns the path of a name in a directory. */
    public static byte[] join(byte[] directory, byte[] name) {
        if (directory.length == 0) {
            return name;
        }
        byte[] path = Arrays.copyOf(directory, directory.length + 1 + name.length);
        path[directory.length] = '/';
        System.arraycopy(name, 0, path, directory.length + 1, name.length);
        return path;
    }

    /** Returns the directory of a path, empty for the root. */
    public static byte[] parent(byte[] path) {
        int slash = lastSlash(path);
        return slash < 0 ? new byte[0] : Arrays.copyOf(path, slash);
    }

    /** Returns the last component of a path. */
    public static byte[] last(byte[] path) {
        return Arrays.copyOfRange(path, lastSlash(path) + 1, path.length);
    }

    private static int lastSlash(byte[] path) {
        int slash = path.length - 1;
        while (slash >= 0 && path[slash] != '/') {
            slash--;
        }
        return slash;
    }

    /**
     * Returns the name under which a file is written until it is complete, in the same directory. The same for each
     * attempt, so that the next one finds it.
     */
    public static byte[] temporary(byte[] name) {
        byte[] hash = HexFormat.of()
                .formatHex(TemporaryHash.of(name), 0, TEMPORARY_HASH_DIGITS / 2)
                .getBytes(StandardCharsets.US_ASCII);
        ByteBuffer buffer = ByteBuffer.allocate(TEMPORARY_BYTES);
        return buffer.put(TEMPORARY_PREFIX).put(hash).put(TEMPORARY_SUFFIX).array();
    }

    /** Returns whether a name is one of an incomplete file. */
    public static boolean isTemporary(byte[] name) {
        int suffix = TEMPORARY_BYTES - TEMPORARY_SUFFIX.length;
        return name.length == TEMPORARY_BYTES
                && Arrays.equals(name, 0, TEMPORARY_PREFIX.length, TEMPORARY_PREFIX, 0, TEMPORARY_PREFIX.length)
                && Arrays.equals(name, suffix, name.length, TEMPORARY_SUFFIX, 0, TEMPORARY_SUFFIX.length);
    }

    /**
     * Returns whether the target of a symbolic link stays below the root of the tree, by its text alone. None does that
     * has ".." behind a name: the name may be a link to a directory of another depth, from which ".." leads out.
     *
     * @param directory the path of the link's directory
     * @param target the link's contents
     */
    public static boolean staysWithin(byte[] directory, byte[] target) {
        if (target.length == 0 || target[0] == '/') {
            return false;
        }
        int depth = directory.length == 0 ? 0 : 1;
        for (byte each : directory) {
            depth += each == '/' ? 1 : 0;
        }
        boolean named = false;
        for (String part : new String(target, StandardCharsets.ISO_8859_1).split("/", -1)) {
            if (part.equals("..")) {
                depth--;
                if (named || depth < 0) {
                    return false;
                }
            } else if (!part.isEmpty() && !part.equals(".")) {
                named = true;
            }
        }
        return true;
    }

    /** Returns bytes as text for people: UTF-8 where they are, else with each odd byte as {@code \xNN}; no controls. */
    public static String printable(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.codePoints().noneMatch(Names::isUnprintable)) {
                return text;
            }
        } catch (CharacterCodingException e) {
            // Written byte by byte below.
        }
        StringBuilder text = new StringBuilder(bytes.length + 16);
        for (byte each : bytes) {
            if (each >= ' ' && each < 0x7f && each != '\\') {
                text.append((char) each);
            } else {
                text.append("\\x").append(HexFormat.of().toHexDigits(each));
            }
        }
        return text.toString();
    }

    private static boolean isUnprintable(int codePoint) {
        return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.FORMAT;
    }
}
