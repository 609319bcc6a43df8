package dev.tutti.simulation;

import dev.tutti.control.BindOutbox;
import dev.tutti.control.ClusterGateway;
import dev.tutti.control.FleetBook;
import dev.tutti.control.JobBook;
import dev.tutti.control.Ledger;

/** A way in which the product could be wrong: what stands between the loops and their ports. NONE is the product. */
interface Mutant {

    Mutant NONE = new Mutant() {};

    default Ledger ledger(Ledger real, Database database) {
        return real;
    }

    default BindOutbox outbox(BindOutbox real, Database database) {
        return real;
    }

    default FleetBook fleet(FleetBook real, Database database) {
        return real;
    }

    default JobBook jobBook(JobBook real, Database database) {
        return real;
    }

    default ClusterGateway gateway(ClusterGateway real) {
        return real;
    }
}
