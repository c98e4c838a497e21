/** The manual pages and shell completions of packages, made from the commands' own descriptions. */
@NullMarked
package dev.sluice.cli.manual;

import org.jspecify.annotations.NullMarked;
