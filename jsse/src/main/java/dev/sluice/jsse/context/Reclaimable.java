package dev.sluice.jsse.context;

/** Native state of an object that may be dropped unclosed. Must not refer to that object. */
public interface Reclaimable {
    /** Frees the native state; called once, when the object is unreachable. */
    void reclaim();
}
