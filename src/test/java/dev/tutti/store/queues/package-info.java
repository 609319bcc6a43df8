/** What the database itself makes of queues and quotas. */
package dev.tutti.store.queues;
