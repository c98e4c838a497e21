/**
 * The wire protocol of remote files: requests of a mount, answered by an export, over one secure channel.
 *
 * <pre>
 * request  | length (32) | operation (8) | fields of the operation, data |
 * answer   | length (32) | errno (32)    | fields of the operation, data |
 * </pre>
 *
 * <p>Lengths count what follows them; numbers are in network byte order; paths are raw bytes behind a 16-bit length,
 * relative to the exported directory. Requests are carried out, and answered, in the order in which they were sent, so
 * that answers need no names and any number of requests may be in flight. {@link
 * dev.sluice.transfer.files.FileOperation} lists the operations with their fields.
 */
@NullMarked
package dev.sluice.transfer.files;

import org.jspecify.annotations.NullMarked;
