-- Count transactions per day.
create or replace trigger days_inserted after insert on manual_transactions
  referencing new table as added for each statement execute function count_transaction_days('portfolio_id::text', 'array['''', coin_id]');
create or replace trigger days_deleted after delete on manual_transactions
  referencing old table as removed for each statement execute function count_transaction_days('portfolio_id::text', 'array['''', coin_id]');
create or replace trigger days_updated after update of at, coin_id on manual_transactions
  for each row when (old.* is distinct from new.*) execute function count_transaction_days('portfolio_id::text', 'array['''', coin_id]');
