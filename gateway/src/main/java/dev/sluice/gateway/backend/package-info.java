/** How a backend's servers are: what checks and connections have found out, and what that means for the next connection. */
@NullMarked
package dev.sluice.gateway.backend;

import org.jspecify.annotations.NullMarked;
