package dev.tutti.contract;

class MemoryPastContractTest extends PastContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
