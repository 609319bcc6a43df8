/**
 * What is there and what waits, as of the last reading: the feed of changes, and the mirror that follows it and hands out
 * snapshots. One thread follows; all others read what it handed out.
 */
@NullMarked
package dev.tutti.control.view;

import org.jspecify.annotations.NullMarked;
