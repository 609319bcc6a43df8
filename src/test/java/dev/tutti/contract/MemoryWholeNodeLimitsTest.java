package dev.tutti.contract;

class MemoryWholeNodeLimitsTest extends WholeNodeLimitsContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
