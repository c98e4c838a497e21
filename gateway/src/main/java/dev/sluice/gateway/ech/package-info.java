/**
 * Encrypted ClientHello: its key files, their rotation, and the values to publish in DNS.
 *
 * <p>{@link dev.sluice.gateway.ech.EchKeySets} has one {@link dev.sluice.gateway.ech.EchKeySet} for each directory,
 * whose ring the contexts of all loops share. A thread reads the directories every ten seconds, and rotates where the
 * configuration says so. A directory that cannot be read leaves the keys as they are; {@link
 * dev.sluice.gateway.ech.EchStatus} tells of it.
 */
@NullMarked
package dev.sluice.gateway.ech;

import org.jspecify.annotations.NullMarked;
