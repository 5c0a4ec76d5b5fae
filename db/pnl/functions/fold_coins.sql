-- Ids of all coins with rows in a fold: one index probe per coin.
create or replace function fold_coins(fold_id bigint) returns setof text language sql stable as $$
  with recursive held (coin_id) as (
    (select c.coin_id from coin_folds c where c.fold_id = $1 order by c.coin_id limit 1)
    union all
    select (select c.coin_id from coin_folds c where c.fold_id = $1 and c.coin_id > held.coin_id order by c.coin_id limit 1)
    from held where held.coin_id is not null
  ) select coin_id from held where coin_id is not null
$$;
revoke all on function fold_coins from public;
grant execute on function fold_coins to api, ingest;
