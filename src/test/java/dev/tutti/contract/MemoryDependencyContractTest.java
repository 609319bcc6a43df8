package dev.tutti.contract;

class MemoryDependencyContractTest extends DependencyContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
