/** What all rooms of the store share: transactions with the leader's term, errors in our own words, JSON columns. */
@NullMarked
package dev.tutti.store;

import org.jspecify.annotations.NullMarked;
