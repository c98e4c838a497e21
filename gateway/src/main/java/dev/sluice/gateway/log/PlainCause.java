package dev.sluice.gateway.log;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The causes of failures in words for operators, without the names of Java's classes. Stateless. */
public final class PlainCause {
    private static final int DEPTH_MAX = 10;

    /** A class and the colon behind it, with which exceptions begin the messages of others. */
    private static final Pattern CLASS = Pattern.compile("(?:[a-z]\\w*\\.)+[A-Z]\\w*(?:: ?|$)");

    private PlainCause() {}

    /** Returns what an exception and its causes say, each once and cut. */
    public static String of(Throwable e) {
        List<String> said = new ArrayList<>();
        int depth = 0;
        for (Throwable each = e; each != null && depth < DEPTH_MAX; each = each.getCause(), depth++) {
            String text = text(each);
            if (!text.isEmpty() && said.stream().noneMatch(earlier -> earlier.contains(text))) {
                said.add(text);
            }
        }
        return said.isEmpty() ? kind(e) : String.join(", ", said);
    }

    private static String text(Throwable e) {
        return switch (e) {
            case NoSuchFileException file -> file.getFile() + " does not exist";
            case AccessDeniedException file ->
                file.getFile() + " may not be used by user " + System.getProperty("user.name");
            case FileAlreadyExistsException file -> file.getFile() + " exists already";
            case NotDirectoryException file -> file.getFile() + " is not a directory";
            case UnknownHostException name -> said(name.getMessage()) + " has no address";
            case UnresolvedAddressException _ -> "the name has no address";
            case FileSystemException file -> file.getFile() + ": " + said(file.getReason());
            default -> said(e.getMessage());
        };
    }

    private static String said(@Nullable String message) {
        return message == null ? "" : ForeignText.cut(CLASS.matcher(message).replaceAll(""));
    }

    /** Returns the name of a class as words: {@code ClosedChannelException} is a closed channel. */
    private static String kind(Throwable e) {
        if (e instanceof ConnectException) {
            return "connection refused";
        }
        return e.getClass()
                .getSimpleName()
                .replaceAll("Exception$", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
    }

    /** Returns the first of an exception and its causes that is of a class; null when none is. */
    public static <T extends Throwable> @Nullable T find(Throwable e, Class<T> kind) {
        int depth = 0;
        for (Throwable each = e; each != null && depth < DEPTH_MAX; each = each.getCause(), depth++) {
            if (kind.isInstance(each)) {
                return kind.cast(each);
            }
        }
        return null;
    }
}
