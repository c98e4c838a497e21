package dev.sluice.cli.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fingerprints of files and directories that reveal changed content: the target of a path, since Kubernetes and
 * certbot exchange symbolic links, its length and its modification time. Equal while nothing has changed.
 */
record FileStamps(Map<Path, String> stamps) {
    private static final String ABSENT = "absent";

    /** Returns the current stamps of files. */
    static FileStamps of(List<Path> files) {
        Map<Path, String> stamps = new LinkedHashMap<>();
        for (Path file : files) {
            stamps.put(file, stamp(file));
        }
        return new FileStamps(stamps);
    }

    /** Returns the current stamps of files, keeping earlier ones, so that changes since then are found. */
    static FileStamps of(List<Path> files, FileStamps before) {
        Map<Path, String> stamps = new LinkedHashMap<>();
        for (Path file : files) {
            String known = before.stamps.get(file);
            stamps.put(file, known == null ? stamp(file) : known);
        }
        return new FileStamps(stamps);
    }

    private static String stamp(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return file.toRealPath() + " " + attributes.fileKey() + " " + attributes.size() + " "
                    + attributes.lastModifiedTime();
        } catch (IOException e) {
            return ABSENT;
        }
    }

    /** Returns the files that have changed since earlier stamps. */
    List<Path> changedSince(FileStamps before) {
        List<Path> changed = new ArrayList<>();
        stamps.forEach((file, stamp) -> {
            if (!stamp.equals(before.stamps.get(file))) {
                changed.add(file);
            }
        });
        return changed;
    }
}
