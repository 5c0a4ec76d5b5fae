-- Does the same over current and past rows of the fold.
create or replace function as_of.fold_coins(fold_id bigint) returns setof text
language sql stable security definer set search_path = public, pg_temp as $$
  with recursive held (coin_id) as (
    (select c.coin_id from past.coin_folds c where c.fold_id = $1 order by c.coin_id limit 1)
    union all
    select (select c.coin_id from past.coin_folds c where c.fold_id = $1 and c.coin_id > held.coin_id order by c.coin_id limit 1)
    from held where held.coin_id is not null
  ) select coin_id from held where coin_id is not null
  union
  select public.fold_coins($1)
$$;
revoke all on function as_of.fold_coins from public;
grant execute on function as_of.fold_coins to api;
