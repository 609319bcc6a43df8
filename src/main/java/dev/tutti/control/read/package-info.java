/** What pages and lists are made of: query ports and records, nothing that decides or writes. */
@NullMarked
package dev.tutti.control.read;

import org.jspecify.annotations.NullMarked;
