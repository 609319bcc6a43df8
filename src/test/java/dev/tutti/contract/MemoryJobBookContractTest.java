package dev.tutti.contract;

class MemoryJobBookContractTest extends JobBookContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
