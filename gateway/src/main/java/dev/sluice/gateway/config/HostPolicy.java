package dev.sluice.gateway.config;

/**
 * How the clients of one virtual host prove who they are.
 *
 * @param name the server names that it is about
 * @param client what they must show
 */
public record HostPolicy(ServerNamePattern name, ClientPolicy client) {}
