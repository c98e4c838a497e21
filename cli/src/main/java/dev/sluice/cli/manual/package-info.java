/**
 * The manual pages and shell completions of packages, made from the commands' own descriptions.
 *
 * <p>{@link dev.sluice.cli.manual.ManualWriter} is a program of its own that the build of packages runs. It walks
 * picocli's model of the commands, has {@link dev.sluice.cli.manual.ManualPage} write a page of section 1 for each, and
 * picocli a completion for bash, which zsh runs, too. {@link dev.sluice.cli.manual.Roff} escapes text for roff.
 *
 * <p>Equal commands and an equal date make equal files, so that packages can be reproduced.
 */
@NullMarked
package dev.sluice.cli.manual;

import org.jspecify.annotations.NullMarked;
