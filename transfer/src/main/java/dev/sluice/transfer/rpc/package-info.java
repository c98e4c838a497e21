/**
 * Requests and responses over one secure channel.
 *
 * <p>{@link dev.sluice.transfer.rpc.RpcClient} sends length-prefixed requests, many in flight at once, and gets their
 * responses by id, in any order; {@link dev.sluice.transfer.rpc.RpcServer} serves one channel by an {@link
 * dev.sluice.transfer.rpc.RpcHandler}. Payloads are written into the records that leave and read where the records were
 * opened. Nothing is allocated per call.
 *
 * <p>{@link dev.sluice.transfer.rpc.ChannelStreamSocket} is a java.net.Socket over a channel, for libraries that know
 * nothing else: gRPC over HTTP/2 runs on it.
 *
 * <pre>
 * RpcClient ── requests ──▶ channel ──▶ RpcServer ──▶ RpcHandler
 * RpcCall   ◀── responses ── channel ◀── RpcReply ◀──────┘
 * </pre>
 */
@NullMarked
package dev.sluice.transfer.rpc;

import org.jspecify.annotations.NullMarked;
