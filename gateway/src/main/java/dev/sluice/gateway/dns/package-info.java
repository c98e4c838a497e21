/**
 * Lookups of the names that servers are configured by, with the time for which an answer holds.
 *
 * <p>Start at {@link dev.sluice.gateway.dns.Resolver}; {@link dev.sluice.gateway.dns.SystemResolver} finds names as
 * programs on this machine do, by {@link dev.sluice.gateway.dns.HostsFile} and
 * {@link dev.sluice.gateway.dns.DnsClient}. That there is no such name, or no address of a family, is an answer; that
 * nobody has answered is a {@link dev.sluice.gateway.dns.LookupException}. All of it blocks, and is for the threads of
 * lookups.
 */
@NullMarked
package dev.sluice.gateway.dns;

import org.jspecify.annotations.NullMarked;
