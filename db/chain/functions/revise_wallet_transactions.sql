-- Sluice never updates these rows; this keeps the revision right when someone does it by hand.
create or replace function revise_wallet_transactions() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  update wallet_transaction_counts as count set revision = gen_random_uuid()
    from (select distinct wallet_id, network_id from changed) as change
    where count.wallet_id = change.wallet_id and count.series in ('', change.network_id);
  return null;
end $$;
