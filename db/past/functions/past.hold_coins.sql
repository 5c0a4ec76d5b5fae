-- Records coins when the first row with figures of them is stored. The argument selects their ids from
-- `new_rows`.
create or replace function past.hold_coins() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  execute format(
    'insert into past.coins_held select distinct coin_id from (%s) as held (coin_id)
     where coin_id is not null and not exists (select from past.coins_held known where known.coin_id = held.coin_id)',
    tg_argv[0]);
  return null;
end $$;
revoke all on function past.hold_coins from public;
