-- The wallets of addresses that a reorg took rows from: those of extended keys have many.
drop index concurrently if exists wallet_accounts_by_account;
create index concurrently wallet_accounts_by_account on wallet_accounts (network_id, account) where role = 'address';
