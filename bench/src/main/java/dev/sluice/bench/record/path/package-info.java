/** Ways to protect TLS records, and their process for JMH. */
@NullMarked
package dev.sluice.bench.record.path;

import org.jspecify.annotations.NullMarked;
