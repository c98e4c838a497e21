/**
 * Encrypted ClientHello: its key files, their rotation, and the values to publish in DNS.
 *
 * <p>{@link dev.sluice.gateway.ech.EchKeySets} has one {@link dev.sluice.gateway.ech.EchKeys} for each directory, whose
 * ring the contexts of all loops share. A thread reads the directories, and rotates.
 */
@NullMarked
package dev.sluice.gateway.ech;

import org.jspecify.annotations.NullMarked;
