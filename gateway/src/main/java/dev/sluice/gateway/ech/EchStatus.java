package dev.sluice.gateway.ech;

import java.nio.file.Path;
import java.time.Instant;

/**
 * The status of the keys of a directory.
 *
 * @param directory the directory
 * @param publicName the name of the newest key's configuration
 * @param configuration the newest key's configuration in Base64: the value of {@code ech=} in DNS
 * @param since the time of the newest key
 * @param keys the number of keys that open hellos
 */
public record EchStatus(Path directory, String publicName, String configuration, Instant since, int keys) {}
