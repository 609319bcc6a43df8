/**
 * The words of Tutti as values. Here are the ids, names and the checks that every value passes; beside them what a
 * job asks for ({@code job}), its life ({@code life}) and what a cluster offers ({@code fleet}).
 *
 * <p>Every record here is valid once built. Nothing here reads a clock, a database or a cluster.
 */
@NullMarked
package dev.tutti.model;

import org.jspecify.annotations.NullMarked;
