package dev.tutti.contract;

class MemoryLeadershipContractTest extends LeadershipContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
