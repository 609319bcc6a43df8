/** API keys: made, shown without their secret, and revoked, by administrators. */
@NullMarked
package dev.tutti.web.keys;

import org.jspecify.annotations.NullMarked;
