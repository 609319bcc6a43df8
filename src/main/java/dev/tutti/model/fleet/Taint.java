package dev.tutti.model.fleet;

/**
 * A mark by which a node keeps pods out that do not tolerate it.
 *
 * @param key its key, as the cluster tells it
 * @param value its value; empty for none
 * @param effect what it does
 */
public record Taint(String key, String value, TaintEffect effect) {

    /** Taints of these prefixes tell the state of a node: cordoned, not ready, out of reach, under pressure. */
    private static final String[] STATES = {"node.kubernetes.io/", "node.cloudprovider.kubernetes.io/"};

    /** Whether the effect keeps new pods out. */
    public boolean bars() {
        return effect != TaintEffect.PREFER_NO_SCHEDULE;
    }

    /** Whether a key is a word of Kubernetes for the state of a node. Such a taint closes the node to all jobs. */
    public static boolean isState(String key) {
        for (String prefix : STATES) {
            if (key.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
