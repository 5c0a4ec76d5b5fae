-- What answers are made of is kept when it is replaced, so that it can be asked again what was answered at an instant.
-- The schema `past` has the replaced rows; `as_of` has views with the names of the tables that show what was known at an
-- instant: a query without schemas runs on either.
create schema past;
create schema as_of;
grant usage on schema past, as_of to api;
grant usage on schema past to ingest;

-- Rows carry when the transaction began that wrote them. They are seen from its end on.
create table past.writes (
  began_at timestamptz not null,
  xid xid8 not null,
  visible_at timestamptz,              -- null: it is not at its end
  primary key (began_at, xid)
);
create index writes_in_flight on past.writes using gist (tstzrange(began_at, visible_at)) where visible_at is not null;

-- From when on everything is kept.
create table past.kept (from_at timestamptz not null);
insert into past.kept values (now());

-- Coins that were ever in somebody's figures. Of others nothing is kept: there are many, and they change all the time.
create table past.coins_held (coin_id text not null);
create index on past.coins_held (coin_id);
insert into past.coins_held
  select coin_id from coin_folds
  union select unnest(coin_ids) from portfolio_snapshots
  union select coin_id from networks where coin_id is not null
  union select t.coin_id from defi_assets a join tokens t on t.network_id = a.network_id and t.address = a.token_address
  union select c.coin_id from defi_assets a join networks w on w.id = a.network_id
    join coin_contracts c on c.blockchain = w.blockchain and c.address = a.token_address
  union values ('bitcoin'), ('ethereum');

grant select on past.writes, past.kept to api;

create function past.end_write() returns trigger language plpgsql security definer set search_path = pg_temp as $$
begin
  update past.writes w set visible_at = clock_timestamp() where w.began_at = new.began_at and w.xid = new.xid;
  return null;
end $$;
create constraint trigger end_write after insert on past.writes
  deferrable initially deferred for each row execute function past.end_write();

create function past.note_write() returns void language sql as $$
  insert into past.writes (began_at, xid) values (now(), pg_current_xact_id()) on conflict do nothing
$$;

create function past.stamp() returns trigger language plpgsql as $$
begin
  new.recorded_at := now();
  return new;
end $$;

create function past.note_inserted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform past.note_write();
  return null;
end $$;

-- Arguments: the columns kept, those of the key, and which rows are kept. A row that this transaction made itself was seen
-- by nobody.
create function past.keep_replaced() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  kept integer;
begin
  execute format(
    'insert into past.%I (%s, recorded_at, replaced_at) select old.%s, old.recorded_at, now() from old_rows old %s
     where old.recorded_at <> now() and (%s)',
    tg_table_name, tg_argv[0], replace(tg_argv[0], ', ', ', old.'),
    case tg_op when 'UPDATE' then format(
      'join new_rows new on (%s) = (%s) and new.recorded_at <> old.recorded_at',
      'old.' || replace(tg_argv[1], ', ', ', old.'), 'new.' || replace(tg_argv[1], ', ', ', new.')) end,
    tg_argv[2]);
  get diagnostics kept = row_count;
  if kept > 0 then
    perform past.note_write();
  end if;
  return null;
end $$;

-- Has a table keep what is replaced in it. `columns` are those that answers are made of; `held`: the condition on a replaced
-- row, called `old`, under which it is kept; `until`: an upper bound of rows that were known, which saves looking at all that
-- came later.
create function past.keep(
  relation name, key text, columns text, held text default 'true', until text default 'true'
) returns void language plpgsql as $$
declare
  kept text := key || ', ' || columns;
  unseen text := '((select current_setting(''sluice.as_of_unseen'')::timestamptz[])::timestamptz[])';
  instant text := '(select current_setting(''sluice.as_of'')::timestamptz)';
  known text := format('recorded_at <= %s and recorded_at <> all (%s) and %s', instant, unseen, until);
begin
  execute format('alter table %I add column recorded_at timestamptz not null default ''-infinity''', relation);
  execute format('alter table %I alter column recorded_at set default now()', relation);
  execute format(
    'create table past.%1$I as select %2$s, recorded_at, recorded_at as replaced_at from %1$I with no data', relation, kept);
  execute format('alter table past.%I alter recorded_at set not null, alter replaced_at set not null', relation);
  execute format('create index on past.%I (%s, replaced_at)', relation, key);
  execute format('create index on past.%I using brin (replaced_at)', relation);
  execute format(
    'create trigger stamp before update on %I for each row when ((%s) is distinct from (%s)) execute function past.stamp()',
    relation, 'old.' || replace(columns, ', ', ', old.'), 'new.' || replace(columns, ', ', ', new.'));
  execute format(
    'create trigger note_inserted after insert on %I for each statement execute function past.note_inserted()', relation);
  execute format(
    'create trigger keep_updated after update on %I referencing old table as old_rows new table as new_rows
     for each statement execute function past.keep_replaced(%L, %L, %L)', relation, kept, key, held);
  execute format(
    'create trigger keep_deleted after delete on %I referencing old table as old_rows
     for each statement execute function past.keep_replaced(%L, %L, %L)', relation, kept, key, held);
  execute format(
    'create view as_of.%1$I as
     select %2$s from public.%1$I where %3$s
     union all
     select %2$s from past.%1$I where %3$s
       and replaced_at >= (select current_setting(''sluice.as_of_since'')::timestamptz)
       and (replaced_at > %4$s or replaced_at = any (%5$s))',
    relation, kept, known, instant, unseen);
  execute format('grant select on as_of.%I to api', relation);
end $$;

select past.keep('portfolios', 'id', 'account_id, kind, name, address, network_id, cost_method, created_at');
select past.keep('books', 'id', 'wallet_id, network_id, connection_id, portfolio_id');
select past.keep('scopes', 'id', 'book_id, wallet_id, account_id');
select past.keep('folds', 'id', 'scope_id, method, folded_at');
-- Clocks of chains may be ahead.
select past.keep('coin_folds', 'fold_id, coin_id, month',
  'quantity, acquired_quantity, disposed_quantity, sold_quantity, uncovered, last_side, last_quantity, '
  'cost_usd, acquired_usd, disposed_usd, disposed_cost_usd, sold_usd, last_usd, '
  'cost_btc, acquired_btc, disposed_btc, disposed_cost_btc, sold_btc, last_btc, '
  'cost_eth, acquired_eth, disposed_eth, disposed_cost_eth, sold_eth, last_eth',
  until => $u$ month <= (select current_setting('sluice.as_of')::timestamptz + interval '1 day') $u$);
select past.keep('coin_moves', 'fold_id, at, seq',
  'coin_id, quantity, is_trade, amount_usd, amount_btc, amount_eth, market_usd, market_btc, market_eth',
  until => $u$ at <= (select current_setting('sluice.as_of')::timestamptz + interval '1 day') $u$);
select past.keep('portfolio_snapshots', 'portfolio_id, at', 'coin_ids, quantities, prices_usd');
-- That of a wallet that nobody follows is in no answer.
select past.keep('wallet_syncs', 'wallet_id, network_id', 'synced_at',
  'exists (select from wallets w join portfolios p on p.address = w.address
   where w.id = old.wallet_id and p.network_id = old.network_id)');
select past.keep('exchange_connections', 'id', 'venue, synced_at, covered_to');
select past.keep('fx_rates', 'currency, at', 'per_usd, source');
select past.keep('price_hours', 'coin_id, at', 'usd, source', 'old.coin_id in (select coin_id from past.coins_held)');
select past.keep('price_days', 'coin_id, at', 'usd, source', 'old.coin_id in (select coin_id from past.coins_held)');
select past.keep('coins', 'id', 'symbol, name, icon, rank', 'old.id in (select coin_id from past.coins_held)');
select past.keep('coin_quotes', 'coin_id',
  'price_usd, volume_24h_usd, price_change_1h, price_change_1d, price_change_1w, price_change_1m, at',
  'old.coin_id in (select coin_id from past.coins_held)');
select past.keep('coin_risks', 'coin_id',
  'liquidity_score, volatility_score, market_cap_score, risk_score, avg_change',
  'old.coin_id in (select coin_id from past.coins_held)');
select past.keep('coin_contracts', 'blockchain, address', 'coin_id');
select past.keep('tokens', 'network_id, address', 'symbol, decimals, coin_id, spam_reason');
select past.keep('defi_positions', 'wallet_id, network_id, protocol_id, id',
  'name, pool_address, health_rate, unlock_at, end_at');
select past.keep('defi_assets', 'wallet_id, network_id, protocol_id, position_id, seq', 'role, token_address, raw');

-- Notes the coins of figures from their first row on; `of` selects them from `new_rows`.
create function past.hold_coins() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  execute format(
    'insert into past.coins_held select distinct coin_id from (%s) as held (coin_id)
     where coin_id is not null and not exists (select from past.coins_held known where known.coin_id = held.coin_id)',
    tg_argv[0]);
  return null;
end $$;
create trigger hold_coins after insert on coin_folds referencing new table as new_rows
  for each statement execute function past.hold_coins('select coin_id from new_rows');
create trigger hold_coins after insert on portfolio_snapshots referencing new table as new_rows
  for each statement execute function past.hold_coins('select unnest(coin_ids) from new_rows');
-- Of positions and what their tokens turn out to be.
create trigger hold_coins after insert on defi_assets referencing new table as new_rows
  for each statement execute function past.hold_coins(
    'select t.coin_id from new_rows n join tokens t on t.network_id = n.network_id and t.address = n.token_address
     union all
     select c.coin_id from new_rows n join networks w on w.id = n.network_id
     join coin_contracts c on c.blockchain = w.blockchain and c.address = n.token_address');
create trigger hold_coins after update on tokens referencing new table as new_rows
  for each statement execute function past.hold_coins(
    'select n.coin_id from new_rows n
     where (n.network_id, n.address) in (select network_id, token_address from defi_assets)');
create trigger hold_coins_inserted after insert on coin_contracts referencing new table as new_rows
  for each statement execute function past.hold_coins(
    'select n.coin_id from new_rows n where n.address in (select token_address from defi_assets)');
create trigger hold_coins_updated after update on coin_contracts referencing new table as new_rows
  for each statement execute function past.hold_coins(
    'select n.coin_id from new_rows n where n.address in (select token_address from defi_assets)');

-- The book of each portfolio then: the text of the view, on what the tables were.
do $$
declare
  path text := current_setting('search_path');
  body text := pg_get_viewdef('public.portfolio_books'::regclass);
begin
  perform set_config('search_path', 'as_of, public', true);
  execute 'create view as_of.portfolio_books as ' || body;
  perform set_config('search_path', path, true);
end $$;
grant select on as_of.portfolio_books to api;

-- Takes away some rows of each table that were replaced before an instant; from then on answers may still be asked for.
create function past.forget(before timestamptz, batch integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  relation name;
  gone bigint;
  total bigint := 0;
begin
  update past.kept set from_at = before where from_at < before;
  for relation in
    select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'replaced_at'
    where c.relnamespace = 'past'::regnamespace and c.relkind = 'r' order by 1
  loop
    execute format('delete from past.%1$I where ctid in (select ctid from past.%1$I where replaced_at < $1 limit $2)', relation)
      using before, batch;
    get diagnostics gone = row_count;
    total := total + gone;
  end loop;
  delete from past.writes where (began_at, xid) in (
    select w.began_at, w.xid from past.writes w where w.visible_at < before and w.began_at < before limit batch);
  get diagnostics gone = row_count;
  return total + gone;
end $$;
revoke all on all functions in schema past from public;
grant execute on function past.forget to ingest;
