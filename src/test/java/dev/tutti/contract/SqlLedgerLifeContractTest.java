package dev.tutti.contract;

class SqlLedgerLifeContractTest extends LedgerLifeContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
