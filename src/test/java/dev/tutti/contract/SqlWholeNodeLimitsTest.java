package dev.tutti.contract;

class SqlWholeNodeLimitsTest extends WholeNodeLimitsContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }
}
