/**
 * The admin endpoint: metrics, health, the configuration in force and a dashboard over HTTP, for people and programs that look
 * after a gateway. Loaded by the gateways that are configured for it, behind their start.
 */
@NullMarked
package dev.sluice.gateway.admin;

import org.jspecify.annotations.NullMarked;
