/**
 * Commands to a running gateway, sent over its admin socket: {@code reload}, {@code certificates} and {@code tickets}.
 *
 * <p>{@link dev.sluice.cli.admin.AdminVerb} is the common part: one request and its answer. {@link
 * dev.sluice.cli.admin.ReloadCommand}, {@link dev.sluice.cli.admin.CertificatesCommand} and {@link
 * dev.sluice.cli.admin.TicketsCommand} add options and print the answer.
 *
 * <p>A command runs on the main thread and blocks until the gateway has answered. It keeps no state between requests.
 *
 * <pre>
 * sluice reload ── Unix socket ──▶ running gateway
 * </pre>
 */
@NullMarked
package dev.sluice.cli.admin;

import org.jspecify.annotations.NullMarked;
