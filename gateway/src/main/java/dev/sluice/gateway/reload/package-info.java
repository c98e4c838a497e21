/**
 * The reload without a restart: a new configuration in the same process.
 *
 * <p>{@link dev.sluice.gateway.reload.Reload} is the entry: it prepares all that can be rejected first, then each
 * {@link dev.sluice.gateway.reload.LoopReload} exchanges what its listeners serve with, which cannot fail. {@link
 * dev.sluice.gateway.reload.ReloadHistory} keeps the outcomes, and {@link dev.sluice.gateway.reload.ReloadRequest} is
 * the request over the admin interfaces.
 *
 * <p>One reload runs at a time: on the caller's thread, and on each loop for its own part. The history is thread-safe.
 *
 * <pre>
 * prepare on all loops ──▶ commit on all loops
 *          └── rejected ──▶ the previous configuration stays active
 * </pre>
 */
@NullMarked
package dev.sluice.gateway.reload;

import org.jspecify.annotations.NullMarked;
