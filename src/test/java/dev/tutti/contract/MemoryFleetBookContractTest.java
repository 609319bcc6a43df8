package dev.tutti.contract;

class MemoryFleetBookContractTest extends FleetBookContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
