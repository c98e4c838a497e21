/** OpenSSL 3.0 or later, found at run time: raw bindings, typed owners, and errors with their queue. */
@NullMarked
package dev.sluice.ffi.openssl;

import org.jspecify.annotations.NullMarked;
