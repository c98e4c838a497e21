package dev.sluice.net.internal;

import dev.sluice.memory.fault.FaultPoint;
import dev.sluice.net.EventLoop;
import dev.sluice.net.TurnWatcher;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Another transport, whose requests tests let fail: see {@link FaultPoint#TRANSPORT}. What fails has had no effect. */
final class FaultyTransport implements Transport {
    private final Transport transport;

    FaultyTransport(Transport transport) {
        this.transport = transport;
    }

    // --- what can fail ----------------------------------------------------------------------------------------------

    @Override
    public int attach(Endpoint endpoint, int fd) {
        FaultPoint.TRANSPORT.reach();
        return transport.attach(endpoint, fd);
    }

    @Override
    public void accept(Endpoint endpoint) {
        FaultPoint.TRANSPORT.reach();
        transport.accept(endpoint);
    }

    @Override
    public void cancelAccept(Endpoint endpoint) {
        FaultPoint.TRANSPORT.reach();
        transport.cancelAccept(endpoint);
    }

    @Override
    public void connect(Endpoint endpoint, SocketAddress address) {
        FaultPoint.TRANSPORT.reach();
        transport.connect(endpoint, address);
    }

    @Override
    public void receive(Endpoint endpoint, int limit) {
        FaultPoint.TRANSPORT.reach();
        transport.receive(endpoint, limit);
    }

    @Override
    public void receiveInto(Endpoint endpoint, long address, int capacity) {
        FaultPoint.TRANSPORT.reach();
        transport.receiveInto(endpoint, address, capacity);
    }

    @Override
    public void cancelReceive(Endpoint endpoint) {
        FaultPoint.TRANSPORT.reach();
        transport.cancelReceive(endpoint);
    }

    @Override
    public void send(Endpoint endpoint, long address, int length, boolean more) {
        FaultPoint.TRANSPORT.reach();
        transport.send(endpoint, address, length, more);
    }

    @Override
    public void detach(Endpoint endpoint, boolean reset) {
        FaultPoint.TRANSPORT.reach();
        transport.detach(endpoint, reset);
    }

    // --- what does not ----------------------------------------------------------------------------------------------

    @Override
    public EventLoop.Backend backend() {
        return transport.backend();
    }

    @Override
    public int socketFlags() {
        return transport.socketFlags();
    }

    @Override
    public int attachedCount() {
        return transport.attachedCount();
    }

    @Override
    public void announceClosing() {
        transport.announceClosing();
    }

    @Override
    public int poll(long timeoutMillis) {
        return transport.poll(timeoutMillis);
    }

    @Override
    public void watch(@Nullable TurnWatcher watcher) {
        transport.watch(watcher);
    }

    @Override
    public void wakeUp() {
        transport.wakeUp();
    }

    @Override
    public void close() {
        transport.close();
    }
}
