/**
 * The demo that {@code sluice gateway} serves without a configuration: a backend and a development certificate.
 *
 * <p>{@link dev.sluice.cli.demo.DemoGateway} is the entry: it makes the certificate, starts the backend and configures
 * the gateway. {@link dev.sluice.cli.demo.DemoBackend} is an HTTP/1.1 server that shows the gateway's PROXY header to
 * the client. {@link dev.sluice.cli.demo.DevelopmentCertificate} is stored in a directory and reused.
 *
 * <p>The backend listens on 127.0.0.1 only. It accepts on one thread and serves each connection on a virtual thread
 * with blocking I/O.
 */
@NullMarked
package dev.sluice.cli.demo;

import org.jspecify.annotations.NullMarked;
