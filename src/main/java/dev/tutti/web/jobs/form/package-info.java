/** What callers write when they ask for a job, and how it becomes a spec, or violations that name their fields. */
@NullMarked
package dev.tutti.web.jobs.form;

import org.jspecify.annotations.NullMarked;
