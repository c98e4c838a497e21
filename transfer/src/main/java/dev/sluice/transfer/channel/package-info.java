/**
 * Secure channels: one TLS 1.3 connection each, with mutual authentication, over a blocking socket.
 *
 * <p>{@link dev.sluice.transfer.channel.SecureChannel} is the entry. libssl makes the handshake; afterwards records are
 * sealed and opened in place by {@code tls.record}, in the memory that the kernel receives into and sends from. {@link
 * dev.sluice.transfer.channel.OutgoingBatch} holds the records of one send, {@link
 * dev.sluice.transfer.channel.IncomingBatch} those of one receive; both describe their plaintext as iovecs, so that one
 * preadv or pwritev moves it from or to a file.
 *
 * <p>Each direction of a channel is used by one platform thread at a time, and the two are independent. Several streams
 * are several channels. The data path allocates nothing and copies nothing but through the cipher.
 *
 * <pre>
 * preadv ──▶ OutgoingBatch ── seal, send ──▶ socket ── recv, open ──▶ IncomingBatch ──▶ pwritev
 * </pre>
 */
@NullMarked
package dev.sluice.transfer.channel;

import org.jspecify.annotations.NullMarked;
