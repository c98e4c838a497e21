/**
 * TLS handshake messages as bytes: written for requests that no library sends, and parsed as untrusted input.
 *
 * <p>{@link dev.sluice.doctor.wire.ClientHello} is a first message that only elicits an answer. {@link
 * dev.sluice.doctor.wire.AnswerReader} reads the records of the answer up to a fixed size; {@link
 * dev.sluice.doctor.wire.ByteReader} checks the bounds of every field and throws {@link
 * dev.sluice.doctor.wire.MalformedException}.
 *
 * <p>Messages are values on the Java heap, without a socket. A reader keeps a position and serves one thread; reading
 * an answer blocks on its stream.
 *
 * <pre>
 * ClientHello ── bytes ──▶ server ── bytes ──▶ AnswerReader ──▶ ServerAnswer
 * </pre>
 */
@NullMarked
package dev.sluice.doctor.wire;

import org.jspecify.annotations.NullMarked;
