/**
 * HTTP/1.x without TLS, as far as the gateway answers it by itself: by the https address of the same host.
 *
 * <p>{@link dev.sluice.gateway.plainhttp.HttpBegin} recognizes a request by its first bytes, without allocating, since
 * every client is looked at. {@link dev.sluice.gateway.plainhttp.RequestHead} is a request's head once it is there.
 * {@link dev.sluice.gateway.plainhttp.PlainResponse} is the answer, which is bounded and holds nothing of a request
 * that has not been checked.
 */
@NullMarked
package dev.sluice.gateway.plainhttp;

import org.jspecify.annotations.NullMarked;
