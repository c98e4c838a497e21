package dev.sluice.config.model;

/**
 * The client-authentication policy of a virtual host.
 *
 * @param name the server names of the virtual host
 * @param client the policy
 */
public record HostPolicy(ServerNamePattern name, ClientPolicy client) {}
