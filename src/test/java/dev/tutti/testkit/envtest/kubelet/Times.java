package dev.tutti.testkit.envtest.kubelet;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;

/** Times as Kubernetes writes them: whole seconds in status objects, microseconds in leases. */
final class Times {

    private Times() {}

    static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static ZonedDateTime micros(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
    }
}
