package dev.tutti.contract;

class SqlLedgerContractTest extends LedgerContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
