/** TLS engines over native OpenSSL. */
@NullMarked
package dev.sluice.tls;

import org.jspecify.annotations.NullMarked;
