-- How many transactions there are of each UTC day, so that any page of several lists together is found without reading
-- what comes before it. Triggers keep it: counts and rows commit together.
create table transaction_days (
  ledger text not null,                -- wallet and network as 'ID:network', else the id of a connection or a portfolio
  coin text not null,                  -- '': all; of a connection: the venue's asset, and 'ASSET/QUOTE'; else the coin
  day date not null,
  rows bigint not null,
  primary key (ledger, coin, day)
);

-- For statements that insert or delete, and for rows that are updated. Arguments: expressions over a row for its ledger
-- and for what it is counted under.
create function count_transaction_days() returns trigger
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

do $$
declare
  listed record;
begin
  for listed in
    select * from (values
      ('wallet_transactions', 'at, coin_ids', 'wallet_id || '':'' || network_id', 'array_prepend('''', coin_ids)'),
      ('exchange_transactions', 'at, status, asset, quote_asset', 'connection_id::text', 'case when status = ''ok'' then array_remove(array['''', asset, nullif(quote_asset, asset), asset || ''/'' || nullif(quote_asset, asset)], null) end'),
      ('manual_transactions', 'at, coin_id', 'portfolio_id::text', 'array['''', coin_id]')
    ) as v (name, read, ledger, coins)
  loop
    execute format('create trigger days_inserted after insert on %I referencing new table as added for each statement execute function count_transaction_days(%L, %L)', listed.name, listed.ledger, listed.coins);
    execute format('create trigger days_deleted after delete on %I referencing old table as removed for each statement execute function count_transaction_days(%L, %L)', listed.name, listed.ledger, listed.coins);
    execute format('create trigger days_updated after update of %s on %I for each row when (old.* is distinct from new.*) execute function count_transaction_days(%L, %L)', listed.read, listed.name, listed.ledger, listed.coins);
    execute format('insert into transaction_days select %s, coin, (at at time zone ''UTC'')::date, count(*) from %I cross join unnest(%s) as coin group by 1, 2, 3', listed.ledger, listed.name, listed.coins);
  end loop;
end $$;

grant select, insert, update, delete on transaction_days to ingest;
grant select on transaction_days to api;
