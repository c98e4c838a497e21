/** Clients that break the rules, the witness beside them, and the backend behind both; each in a process of its own. */
@org.jspecify.annotations.NullMarked
package dev.sluice.bench.hostile;
