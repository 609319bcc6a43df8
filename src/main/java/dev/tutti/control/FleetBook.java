package dev.tutti.control;

import dev.tutti.model.ClusterId;
import dev.tutti.model.NodeId;
import dev.tutti.model.fleet.NodeSighting;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The inventory rows: what clusters say of their nodes, written in sets. */
public interface FleetBook {

    /** How long a node that comes back stays closed at the least, by the database's clock. */
    int RETURN_SECONDS = 60;

    /**
     * Makes sure that there is a cluster of this name, and says its id. Whoever starts the service calls it, leading
     * or not; a cluster that is there keeps what is known of it.
     *
     * @param kind {@code simulated} or {@code kubernetes}
     */
    ClusterId register(String name, String kind);

    /**
     * Takes in sightings: new nodes, devices and flavors appear, changed ones change, deleted nodes are kept but
     * closed. Healthy devices that vanish become unhealthy while held and are removed when free. Unchanged nodes cost
     * no write.
     *
     * <p>A node whose object was gone or has another UID may still be ending containers of members that were given up
     * meanwhile: it is closed for {@link #RETURN_SECONDS} plus the longest grace of its members that were once LOST.
     *
     * @param domains for each sighting, in order, its domain at each configured level, widest first
     */
    void observe(ClusterId cluster, List<NodeSighting> nodes, List<List<String>> domains, Actor.Leader leader);

    /** Marks every node of this cluster that is not named as deleted; used after a full list. */
    void retain(ClusterId cluster, Set<String> nodeNames, Actor.Leader leader);

    /**
     * Notes whether the cluster answers. Nodes of a cluster out of reach are not open; nothing on them is freed or
     * stopped. No write when it is known so already.
     */
    void reach(ClusterId cluster, boolean reachable, Actor.Leader leader);

    /** Closes nodes for {@code time} by the database's clock because they refused pods; each refusal doubles it. */
    void backOff(Collection<NodeId> nodes, Duration time, Actor.Leader leader);
}
