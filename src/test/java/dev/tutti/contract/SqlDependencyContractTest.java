package dev.tutti.contract;

class SqlDependencyContractTest extends DependencyContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
