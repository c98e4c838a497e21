/**
 * Commands to a running gateway, sent over its admin socket.
 *
 * <p>{@link dev.sluice.cli.admin.AdminVerb} is the entry. Everything runs on the command's own thread.
 */
@NullMarked
package dev.sluice.cli.admin;

import org.jspecify.annotations.NullMarked;
