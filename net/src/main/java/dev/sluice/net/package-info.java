/** Event loops and what runs on them. */
@NullMarked
package dev.sluice.net;

import org.jspecify.annotations.NullMarked;
