package dev.tutti.contract;

class SqlBindOutboxContractTest extends BindOutboxContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
