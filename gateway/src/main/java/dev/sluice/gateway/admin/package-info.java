/**
 * The admin endpoint: metrics, health, the active configuration and a dashboard over HTTP.
 *
 * <p>{@link dev.sluice.gateway.admin.AdminEndpoint} is the entry, and {@link dev.sluice.gateway.admin.Administered} is
 * its view of the gateway. {@link dev.sluice.gateway.admin.Guard} authorizes requests, {@link
 * dev.sluice.gateway.admin.Routes} maps paths to answers, and {@link dev.sluice.gateway.admin.EventStreams} sends live
 * updates. Only gateways that are configured for the endpoint load this package, after their start.
 *
 * <p>The endpoint has a thread for its sampling and one that accepts; each request runs on a virtual thread. It never
 * runs on an event loop, and connections of each kind are bounded.
 */
@NullMarked
package dev.sluice.gateway.admin;

import org.jspecify.annotations.NullMarked;
