package dev.tutti.contract;

class MemoryEvictionContractTest extends EvictionContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
