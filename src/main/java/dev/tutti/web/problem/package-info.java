/** Everything that is not an answer: one form of problem for every 4xx and 5xx, and the pages that explain them. */
@NullMarked
package dev.tutti.web.problem;

import org.jspecify.annotations.NullMarked;
