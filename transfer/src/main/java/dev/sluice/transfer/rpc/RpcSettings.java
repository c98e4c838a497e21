package dev.sluice.transfer.rpc;

/**
 * The limits of calls over one channel.
 *
 * @param window calls in flight at a client, deferred responses at a server: 1 to {@link #WINDOW_MAX}
 * @param requestBytesMax the payload of a request
 * @param responseBytesMax the payload of a response
 */
public record RpcSettings(int window, int requestBytesMax, int responseBytesMax) {
    /** The largest window. */
    public static final int WINDOW_MAX = 1024;

    /** The defaults. */
    public static final RpcSettings DEFAULT = new RpcSettings(64, 16 << 20, 16 << 20);

    /** Checks the values. */
    public RpcSettings {
        if (window < 1 || window > WINDOW_MAX || requestBytesMax < 0 || responseBytesMax < 0) {
            throw new IllegalArgumentException(
                    "window=" + window + ", requestBytesMax=" + requestBytesMax + ", responseBytesMax="
                            + responseBytesMax + "; the window is 1 to " + WINDOW_MAX + ", sizes are not negative");
        }
    }

    /** Returns the same settings with another window. */
    public RpcSettings withWindow(int count) {
        return new RpcSettings(count, requestBytesMax, responseBytesMax);
    }

    /** Returns the same settings with other sizes. */
    public RpcSettings withSizes(int request, int response) {
        return new RpcSettings(window, request, response);
    }
}
