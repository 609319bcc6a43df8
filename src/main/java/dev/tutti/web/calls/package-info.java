/** What every call has around it: a trace id, a log line, a limit, a version, a key that makes it repeatable. */
@NullMarked
package dev.tutti.web.calls;

import org.jspecify.annotations.NullMarked;
