-- A network of `all` that becomes synced joins the series of all networks.
create or replace function rank_synced_wallet() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform rank_wallet_transactions(array[coalesce(new.wallet_id, old.wallet_id)], array[''], array['-infinity'::timestamptz]);
  return null;
end $$;
