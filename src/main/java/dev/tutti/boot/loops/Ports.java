package dev.tutti.boot.loops;

import dev.tutti.allocator.Allocator;
import dev.tutti.control.BindOutbox;
import dev.tutti.control.Dependencies;
import dev.tutti.control.FleetBook;
import dev.tutti.control.Ledger;
import dev.tutti.control.PastBook;
import dev.tutti.control.Retention;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.model.fleet.TopologyLevels;
import org.springframework.stereotype.Component;

/** What the loops of a term need beside their clusters. */
@Component
record Ports(
        Ledger ledger,
        BindOutbox outbox,
        FleetBook fleet,
        Dependencies dependencies,
        ChangeFeed feed,
        PastBook pasts,
        HalfLifeSetting memory,
        Retention retention,
        RetentionSetting kept,
        ReadySetting ready,
        Allocator allocator,
        TopologyLevels levels) {}
