/**
 * The demo that {@code sluice gateway} serves without a configuration: a backend and a development certificate.
 *
 * <p>{@link dev.sluice.cli.demo.DemoGateway} is the entry: it makes the certificate, starts the backend and configures
 * the gateway. The backend shows what the gateway passes on about a connection; it uses blocking I/O on virtual threads.
 */
@NullMarked
package dev.sluice.cli.demo;

import org.jspecify.annotations.NullMarked;
