package dev.sluice.ffi.zstd;

/** The absence of libzstd. The message names the file, the place searched, and the package to install. */
public final class ZstdNotFoundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ZstdNotFoundException(String message) {
        super(message);
    }
}
