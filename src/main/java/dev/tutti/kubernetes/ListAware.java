package dev.tutti.kubernetes;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands events on, says when a whole list has been read, and keeps one object that cannot be read from stopping the
 * others (house rule R10).
 */
final class ListAware<T> implements ResourceEventHandler<T> {

    private static final Logger LOG = LoggerFactory.getLogger(ListAware.class);

    private final ResourceEventHandler<T> events;
    private final Runnable listed;

    ListAware(ResourceEventHandler<T> events, Runnable listed) {
        this.events = events;
        this.listed = listed;
    }

    @Override
    public void onAdd(T object) {
        guarded(() -> events.onAdd(object));
    }

    @Override
    public void onUpdate(T before, T after) {
        guarded(() -> events.onUpdate(before, after));
    }

    @Override
    public void onDelete(T object, boolean lastStateUnknown) {
        guarded(() -> events.onDelete(object, lastStateUnknown));
    }

    @Override
    public void onList(String resourceVersion, boolean remaining) {
        listed.run();
    }

    private static void guarded(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException e) {
            LOG.error("an event of a watch could not be handed on", e);
        }
    }
}
