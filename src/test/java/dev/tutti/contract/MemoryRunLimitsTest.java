package dev.tutti.contract;

class MemoryRunLimitsTest extends RunLimitsContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
