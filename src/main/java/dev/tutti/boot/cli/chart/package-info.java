/** Figures as tables, and as pictures. */
@NullMarked
package dev.tutti.boot.cli.chart;

import org.jspecify.annotations.NullMarked;
