package dev.tutti.web.manifests;

import dev.tutti.web.jobs.form.JobRequest;
import java.util.List;

/**
 * What Tutti understood of a manifest.
 *
 * @param job the job it asks for
 * @param ignored fields that were read and have no meaning to Tutti
 */
record Understood(JobRequest job, List<String> ignored) {}
