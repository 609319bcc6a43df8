/** Submit, list, read and cancel jobs. */
@NullMarked
package dev.tutti.web.jobs;

import org.jspecify.annotations.NullMarked;
