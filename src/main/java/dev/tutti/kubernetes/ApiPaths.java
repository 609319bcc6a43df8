package dev.tutti.kubernetes;

import dev.tutti.kubernetes.sighting.Keys;
import java.util.regex.Pattern;

/** The paths of the few resources Tutti uses. */
final class ApiPaths {

    private static final Pattern POD_NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

    private final String pods;

    ApiPaths(String namespace) {
        pods = "/api/v1/namespaces/" + namespace + "/pods";
    }

    /** Whether a pod can have this name at all; others never become part of a path. */
    boolean isPodName(String name) {
        return POD_NAME.matcher(name).matches() && !name.contains("..");
    }

    String pods() {
        return pods;
    }

    String podsOfTutti() {
        return pods + "?labelSelector=" + Keys.MANAGED_BY.replace("/", "%2F") + "%3D" + Keys.SCHEDULER;
    }

    String pod(String name) {
        return pods + "/" + name;
    }

    String binding(String name) {
        return pod(name) + "/binding";
    }

    String nodes() {
        return "/api/v1/nodes?";
    }
}
