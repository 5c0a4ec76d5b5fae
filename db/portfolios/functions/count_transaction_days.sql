-- Trigger for statements that insert or delete, and for updated rows. Arguments: expressions over a row for
-- its ledger and for the coins under which it is counted.
create or replace function count_transaction_days() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  part constant text := format('select %s, unnest(%s), at', tg_argv[0], tg_argv[1]);
  changes constant text := case tg_op
    when 'INSERT' then part || ', 1 from added'
    when 'DELETE' then part || ', -1 from removed'
    else format('%1$s, 1 from (select ($1).*) as added union all %1$s, -1 from (select ($2).*) as removed', part) end;
begin
  execute format(
    'insert into transaction_days as stored (ledger, coin, day, rows)
     select ledger, coin, (at at time zone ''UTC'')::date as day, sum(n) from (%s) as change (ledger, coin, at, n)
     group by ledger, coin, day having sum(n) <> 0
     order by ledger, coin, day -- one order of locks for all writers
     on conflict (ledger, coin, day) do update set rows = stored.rows + excluded.rows', changes) using new, old;
  if tg_op = 'DELETE' then
    execute format('delete from transaction_days where rows = 0 and ledger in (select distinct %s from removed)', tg_argv[0]);
  end if;
  return null;
end $$;
