package dev.tutti.simulator;

import dev.tutti.contract.ClusterGatewayContract;
import dev.tutti.contract.ClusterUnderTest;

/** The fake cluster keeps the same contract as a real API server. */
class SimulatedGatewayContractTest extends ClusterGatewayContract {

    @Override
    protected ClusterUnderTest open() {
        return new FakeClusterUnderTest();
    }
}
