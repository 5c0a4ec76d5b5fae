-- Updates the listings of the coins that the triggering statement changed.
create or replace function update_coin_listings() returns trigger language plpgsql as $$
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
    coalesce((select array_agg(distinct id) from unnest(coin.categories) as category, unnest(category_ids(category)) as id), '{}'),
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
