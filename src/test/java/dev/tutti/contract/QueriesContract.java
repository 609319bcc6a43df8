package dev.tutti.contract;

/** The common ground of the tests of queries: the store is the one on PostgreSQL. */
abstract class QueriesContract extends StoreContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }

    final SqlStore sql() {
        return (SqlStore) store;
    }
}
