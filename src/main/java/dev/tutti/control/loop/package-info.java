/**
 * The loops themselves. Each is made anew for each term of leadership, has one hand-turned step, holds no thread and
 * sleeps never; who wires them decides when they turn. A step that throws has changed nothing it cannot do again.
 */
@NullMarked
package dev.tutti.control.loop;

import org.jspecify.annotations.NullMarked;
