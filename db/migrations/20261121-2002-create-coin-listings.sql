-- What lists of coins are searched and sorted by, in one narrow table. Triggers keep it, so that no writer can forget to.
create table coin_listings (
  coin_id text primary key,
  -- False once the source has taken the coin off its list.
  listed boolean not null,
  rank integer,
  -- Lower case, in the order of bytes: that of a language takes ten times as long to sort.
  name text collate "C" not null,
  symbol text collate "C" not null,
  categories text[] not null,
  blockchains text[] not null,
  price_usd numeric not null,
  market_cap_usd numeric,
  fully_diluted_valuation_usd numeric,
  volume_24h_usd numeric,
  available_supply numeric,
  total_supply numeric,
  price_change_1h numeric,
  price_change_1d numeric,
  price_change_1w numeric,
  risk_score numeric
);
-- One index per order: unknown values come last in both directions.
create index coin_listings_by_name on coin_listings (name, coin_id) where listed;
create index coin_listings_by_symbol on coin_listings (symbol, coin_id) where listed;
do $$
declare
  col text;
begin
  foreach col in array array['rank', 'price_usd', 'market_cap_usd', 'volume_24h_usd', 'price_change_1h', 'price_change_1d', 'price_change_1w'] loop
    execute format('create index %I on coin_listings (%I, coin_id) where listed', 'coin_listings_up_by_' || col, col);
    execute format('create index %I on coin_listings (%I desc nulls last, coin_id) where listed', 'coin_listings_down_by_' || col, col);
  end loop;
end $$;
create index coin_contracts_by_address on coin_contracts (lower(address));
grant select, insert, update, delete on coin_listings to ingest;
grant select on coin_listings to api;

-- Brings the rows of the coins up to date that the statement has written.
create function update_coin_listings() returns trigger language plpgsql as $$
declare
  ids text[];
begin
  if tg_table_name = 'coins' then
    select array_agg(id) into ids from changed;
  else
    select array_agg(distinct coin_id) into ids from changed;
  end if;
  if ids is null then return null; end if;
  insert into coin_listings as stored
  select coin.id, coin.delisted_at is null, coin.rank, lower(coin.name), lower(coin.symbol),
    coalesce((select array_agg(lower(category)) from unnest(coin.categories) as category), '{}'),
    coalesce((select array_agg(distinct blockchain) from coin_contracts where coin_contracts.coin_id = coin.id), '{}'),
    quote.price_usd, quote.market_cap_usd, quote.fully_diluted_valuation_usd, quote.volume_24h_usd,
    quote.available_supply, quote.total_supply, quote.price_change_1h, quote.price_change_1d, quote.price_change_1w,
    risk.risk_score
  from coins coin
  join coin_quotes quote on quote.coin_id = coin.id
  left join coin_risks risk on risk.coin_id = coin.id
  where coin.id = any(ids)
  order by coin.id
  on conflict (coin_id) do update set
    listed = excluded.listed, rank = excluded.rank, name = excluded.name, symbol = excluded.symbol,
    categories = excluded.categories, blockchains = excluded.blockchains, price_usd = excluded.price_usd,
    market_cap_usd = excluded.market_cap_usd, fully_diluted_valuation_usd = excluded.fully_diluted_valuation_usd,
    volume_24h_usd = excluded.volume_24h_usd, available_supply = excluded.available_supply,
    total_supply = excluded.total_supply, price_change_1h = excluded.price_change_1h,
    price_change_1d = excluded.price_change_1d, price_change_1w = excluded.price_change_1w,
    risk_score = excluded.risk_score
  where stored is distinct from excluded;
  return null;
end $$;

do $$
declare
  source text;
begin
  foreach source in array array['coins', 'coin_quotes', 'coin_contracts', 'coin_risks'] loop
    execute format('create trigger listings_after_insert after insert on %I referencing new table as changed for each statement execute function update_coin_listings()', source);
    execute format('create trigger listings_after_update after update on %I referencing new table as changed for each statement execute function update_coin_listings()', source);
  end loop;
  -- Scores and contracts come and go; coins and their quotes stay.
  foreach source in array array['coin_contracts', 'coin_risks'] loop
    execute format('create trigger listings_after_delete after delete on %I referencing old table as changed for each statement execute function update_coin_listings()', source);
  end loop;
end $$;
