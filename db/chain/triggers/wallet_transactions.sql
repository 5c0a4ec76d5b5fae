-- Every 50th row of each series is an anchor. Sluice never updates these rows; revise_updated covers updates
-- by hand.
create or replace trigger rank_inserted after insert on wallet_transactions
  referencing new table as changed for each statement execute function rank_changed_wallet_transactions();
create or replace trigger rank_deleted after delete on wallet_transactions
  referencing old table as changed for each statement execute function rank_changed_wallet_transactions();
create or replace trigger revise_updated after update on wallet_transactions
  referencing new table as changed for each statement execute function revise_wallet_transactions();

-- Counts transactions per day, for each of their coins.
create or replace trigger days_inserted after insert on wallet_transactions
  referencing new table as added for each statement execute function count_transaction_days('wallet_id || '':'' || network_id', 'array_prepend('''', coin_ids)');
create or replace trigger days_deleted after delete on wallet_transactions
  referencing old table as removed for each statement execute function count_transaction_days('wallet_id || '':'' || network_id', 'array_prepend('''', coin_ids)');
create or replace trigger days_updated after update of at, coin_ids on wallet_transactions
  for each row when (old.* is distinct from new.*) execute function count_transaction_days('wallet_id || '':'' || network_id', 'array_prepend('''', coin_ids)');

-- Only a transaction opens or closes a DeFi position.
create or replace trigger defi_inserted after insert on wallet_transactions
  referencing new table as changed for each statement execute function mark_defi_wallets();
create or replace trigger defi_deleted after delete on wallet_transactions
  referencing old table as changed for each statement execute function mark_defi_wallets();
