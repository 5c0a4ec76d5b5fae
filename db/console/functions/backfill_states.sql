-- What of the history of coins is stored; null ids: of all listed coins. Coins without a source are left out.
create or replace function backfill_states(resolution text, coin_ids text[])
returns table (coin_id text, source text, from_at timestamptz, to_at timestamptz, floor_plan text)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.id, c.source, h.from_at, h.to_at, h.floor_plan
  from coins c left join price_histories h on h.coin_id = c.id and h.resolution = backfill_states.resolution
  where (coin_ids is null and c.delisted_at is null or c.id = any(coin_ids))
    and exists (select from coin_mappings m where m.coin_id = c.id)
  order by c.rank nulls last, c.id limit 10000
$$;
revoke all on function backfill_states from public;
grant execute on function backfill_states to console;
