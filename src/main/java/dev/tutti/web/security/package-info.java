/** Who calls and what that caller may do. */
@NullMarked
package dev.tutti.web.security;

import org.jspecify.annotations.NullMarked;
