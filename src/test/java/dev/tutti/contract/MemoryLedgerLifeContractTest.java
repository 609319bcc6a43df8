package dev.tutti.contract;

class MemoryLedgerLifeContractTest extends LedgerLifeContract {

    @Override
    protected StoreUnderTest open() {
        return new MemoryStoreUnderTest();
    }
}
