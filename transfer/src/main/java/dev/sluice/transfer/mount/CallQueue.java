package dev.sluice.transfer.mount;

/** The requests in flight, in the order of their answers. Guarded by the mount's lock; allocates nothing. */
final class CallQueue {
    private final Call[] calls;
    private int first;
    private int count;

    /** Creates an empty queue. */
    CallQueue(int capacity) {
        calls = new Call[capacity];
        for (int i = 0; i < capacity; i++) {
            calls[i] = new Call();
        }
    }

    /** Returns the number of requests that may be added. */
    int room() {
        return calls.length - count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Adds a request; there is room. */
    Call add(Call.Kind kind, long unique) {
        Call call = calls[(first + count) % calls.length];
        count++;
        call.reset(kind, unique);
        return call;
    }

    /** Returns the oldest request. */
    Call first() {
        if (count == 0) {
            throw new IllegalStateException("no request in flight");
        }
        return calls[first];
    }

    /** Removes the oldest request, which may be reused from now on. */
    void remove() {
        calls[first].reset(Call.Kind.IGNORED, 0);
        first = (first + 1) % calls.length;
        count--;
    }
}
