package dev.sluice.ffi.openssl;

/**
 * One entry of OpenSSL's error queue.
 *
 * @param code the packed code, see ERR_get_error(3)
 * @param text {@code error:0A00010B:SSL routines::wrong version number}
 * @param data what the library adds, such as a file's name; "" for nothing
 */
public record OpenSslError(long code, String text, String data) {
    /** The library that raised it, such as {@link OpenSslConstants#ERR_LIB_SSL}. */
    public int library() {
        return isSystem()
                ? OpenSslConstants.ERR_LIB_SYS
                : (int) (code >>> OpenSslConstants.ERR_LIB_OFFSET) & OpenSslConstants.ERR_LIB_MASK;
    }

    /** The reason inside the library, such as {@link OpenSslConstants#SSL_R_HTTP_REQUEST}; errno for the system's. */
    public int reason() {
        return (int) (isSystem() ? code & Integer.MAX_VALUE : code & OpenSslConstants.ERR_REASON_MASK);
    }

    /** True for a reason that all libraries share, {@code ERR_R_*}; it says what has failed, not who is to blame. */
    public boolean isCommon() {
        return !isSystem() && (reason() & OpenSslConstants.ERR_RFLAG_COMMON) != 0;
    }

    /** The reason as text, such as {@code wrong version number}. */
    public String reasonText() {
        return text.substring(text.lastIndexOf(':') + 1);
    }

    private boolean isSystem() {
        return (code & 0x8000_0000L) != 0;
    }

    @Override
    public String toString() {
        return data.isEmpty() ? text : text + " (" + data + ")";
    }
}
