/** OpenSSL 3.0 or later, found at run time: raw bindings, typed owners of what they return, errors with their queue. */
@NullMarked
package dev.sluice.ffi.openssl;

import org.jspecify.annotations.NullMarked;
