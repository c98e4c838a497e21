package dev.sluice.ffi.openssl;

import dev.sluice.ffi.openssl.raw.OpenSslConstants;

/**
 * One entry of OpenSSL's error queue.
 *
 * @param code the packed code, see ERR_get_error(3)
 * @param text {@code error:0A00010B:SSL routines::wrong version number}
 * @param data additional data, such as a file name; "" for none
 */
public record OpenSslError(long code, String text, String data) {
    /** Returns the library that raised the error, such as {@link OpenSslConstants#ERR_LIB_SSL}. */
    public int library() {
        return isSystem()
                ? OpenSslConstants.ERR_LIB_SYS
                : (int) (code >>> OpenSslConstants.ERR_LIB_OFFSET) & OpenSslConstants.ERR_LIB_MASK;
    }

    /**
     * Returns the reason within the library, such as {@link OpenSslConstants#SSL_R_HTTP_REQUEST}; errno for system
     * errors.
     */
    public int reason() {
        return (int) (isSystem() ? code & Integer.MAX_VALUE : code & OpenSslConstants.ERR_REASON_MASK);
    }

    /**
     * Returns whether the reason is common to all libraries, {@code ERR_R_*}; such a reason names the failure, not its
     * origin.
     */
    public boolean isCommon() {
        return !isSystem() && (reason() & OpenSslConstants.ERR_RFLAG_COMMON) != 0;
    }

    /** Returns the reason as text, such as {@code wrong version number}. */
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
