@NullMarked
package dev.tutti.simulator;

import org.jspecify.annotations.NullMarked;
