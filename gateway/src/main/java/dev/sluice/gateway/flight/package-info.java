/** What goes on in a gateway as events of Java Flight Recorder. Nothing of it is loaded before a recording has begun. */
@NullMarked
package dev.sluice.gateway.flight;

import org.jspecify.annotations.NullMarked;
