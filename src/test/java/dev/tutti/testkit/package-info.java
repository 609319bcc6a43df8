/** What tests of several rooms share. */
@NullMarked
package dev.tutti.testkit;

import org.jspecify.annotations.NullMarked;
