package dev.sluice.simulator;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.EpollEvent;
import java.util.ArrayList;
import java.util.List;

/** An epoll set: edge-triggered, as used by the transport. An edge reports everything ready at that time. */
final class SimulatedEpoll {
    private final SimulatedKernel kernel;
    private final List<EpollWatch> entries = new ArrayList<>();

    SimulatedEpoll(SimulatedKernel kernel) {
        this.kernel = kernel;
    }

    EpollWatch add(Object watched, int interest, long data) {
        if ((interest & Constants.EPOLLET) == 0) {
            throw new SimulationFailure("level-triggered epoll is not simulated");
        }
        // Errors are reported whether or not they are requested.
        int events = interest | Constants.EPOLLERR | Constants.EPOLLHUP;
        EpollWatch entry = new EpollWatch(entries, watched, events, data);
        entry.pending = true;
        entries.add(entry);
        return entry;
    }

    /** Implements epoll_wait(2) without waiting; returns the number of events. */
    int collect(long events, int most) {
        int count = 0;
        int first = entries.isEmpty() ? 0 : kernel.chance().below(entries.size());
        for (int i = 0; i < entries.size() && count < most; i++) {
            EpollWatch entry = entries.get((first + i) % entries.size());
            boolean spurious = kernel.chance().oneIn(kernel.faults().spurious());
            if (entry.pending || spurious) {
                boolean late = kernel.chance().oneIn(kernel.faults().delay());
                int bits = readiness(entry.watched) & entry.interest;
                if (bits != 0 && late) {
                    continue;
                }
                entry.pending = false;
                if (bits != 0) {
                    EpollEvent.set(EpollEvent.at(events, count++), bits, entry.data);
                }
            }
        }
        return count;
    }

    private static int readiness(Object watched) {
        return switch (watched) {
            case MemorySocket socket -> socket.readiness();
            case MemoryListener listener -> listener.waiting.isEmpty() ? 0 : Constants.EPOLLIN;
            case MemoryEvent event -> event.count > 0 ? Constants.EPOLLIN : 0;
            default -> throw new SimulationFailure("epoll cannot watch " + watched);
        };
    }
}
