/** TLS libraries of others as clients whose every write, key update and end a test decides on. */
@NullMarked
package dev.sluice.interop.peer;

import org.jspecify.annotations.NullMarked;
