-- How many transactions there are of each UTC day, so that any page of several lists together is found without reading
-- what comes before it. Triggers keep it: counts and rows commit together.
create table transaction_days (
  ledger text not null,                -- wallet and network as 'ID:network', else the id of a connection or a portfolio
  coin text not null,                  -- '': all; of a connection: the venue's asset, else the coin
  day date not null,
  rows bigint not null,
  primary key (ledger, coin, day)
);

-- Arguments: expressions over a row for its ledger and for what it is counted under.
create function count_transaction_days() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  changes text[];
  part constant text := format('select %s, unnest(%s), at', tg_argv[0], tg_argv[1]);
begin
  if tg_op <> 'DELETE' then changes := changes || (part || ', 1 from added'); end if;
  if tg_op <> 'INSERT' then changes := changes || (part || ', -1 from removed'); end if;
  execute format(
    'insert into transaction_days as stored (ledger, coin, day, rows)
     select ledger, coin, (at at time zone ''UTC'')::date as day, sum(n) from (%s) as change (ledger, coin, at, n)
     group by ledger, coin, day having sum(n) <> 0
     order by ledger, coin, day -- one order of locks for all writers
     on conflict (ledger, coin, day) do update set rows = stored.rows + excluded.rows',
    array_to_string(changes, ' union all '));
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
      ('wallet_transactions', 'wallet_id || '':'' || network_id', 'array_prepend('''', coin_ids)'),
      ('exchange_transactions', 'connection_id::text', 'case when status = ''ok'' then array_remove(array['''', asset, nullif(quote_asset, asset)], null) end'),
      ('manual_transactions', 'portfolio_id::text', 'array['''', coin_id]')
    ) as v (name, ledger, coins)
  loop
    execute format('create trigger days_inserted after insert on %I referencing new table as added for each statement execute function count_transaction_days(%L, %L)', listed.name, listed.ledger, listed.coins);
    execute format('create trigger days_deleted after delete on %I referencing old table as removed for each statement execute function count_transaction_days(%L, %L)', listed.name, listed.ledger, listed.coins);
    execute format('create trigger days_updated after update on %I referencing old table as removed new table as added for each statement execute function count_transaction_days(%L, %L)', listed.name, listed.ledger, listed.coins);
    execute format('insert into transaction_days select %s, coin, (at at time zone ''UTC'')::date, count(*) from %I cross join unnest(%s) as coin group by 1, 2, 3', listed.ledger, listed.name, listed.coins);
  end loop;
end $$;

grant select, insert, update, delete on transaction_days to ingest;
grant select on transaction_days to api;
