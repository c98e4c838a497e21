/** Ways to protect TLS records, and the process that JMH measures them in. */
@NullMarked
package dev.sluice.bench.record.path;

import org.jspecify.annotations.NullMarked;
