/** Tests of the provider against the JDK's own TLS. */
@NullMarked
package dev.sluice.jsse;

import org.jspecify.annotations.NullMarked;
