-- Counts settled transactions by day: in total, by asset, by the asset of the other side, and by pair.
create or replace trigger days_inserted after insert on exchange_transactions
  referencing new table as added for each statement execute function count_transaction_days(
    'connection_id::text',
    'case when status = ''ok'' then array_remove(array['''', asset, nullif(quote_asset, asset), asset || ''/'' || nullif(quote_asset, asset)], null) end');
create or replace trigger days_deleted after delete on exchange_transactions
  referencing old table as removed for each statement execute function count_transaction_days(
    'connection_id::text',
    'case when status = ''ok'' then array_remove(array['''', asset, nullif(quote_asset, asset), asset || ''/'' || nullif(quote_asset, asset)], null) end');
create or replace trigger days_updated after update of at, status, asset, quote_asset on exchange_transactions
  for each row when (old.* is distinct from new.*) execute function count_transaction_days(
    'connection_id::text',
    'case when status = ''ok'' then array_remove(array['''', asset, nullif(quote_asset, asset), asset || ''/'' || nullif(quote_asset, asset)], null) end');
