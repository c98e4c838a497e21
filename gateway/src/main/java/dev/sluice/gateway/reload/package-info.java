/**
 * Reload without a restart: a new configuration in the same process.
 *
 * <p>{@link dev.sluice.gateway.reload.Reload} prepares all that can be rejected first, then lets each loop exchange what
 * its listeners serve with, which cannot fail. {@link dev.sluice.gateway.reload.ReloadHistory} keeps the outcomes.
 *
 * <p>One reload at a time, on the caller's thread and on each loop.
 */
@NullMarked
package dev.sluice.gateway.reload;

import org.jspecify.annotations.NullMarked;
