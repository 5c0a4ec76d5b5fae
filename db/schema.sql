-- Made by "sluice schema": the result of the SQL in db/. Do not edit.

table account_checks
  with fillfactor=50
  network_id text not null
  first_wallet bigint not null
  checked_at timestamp with time zone
  constraint account_checks_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint account_checks_pkey PRIMARY KEY (network_id, first_wallet)
  grant select to api
  grant delete, insert, select, update to ingest

table account_events
  seq bigint
  account_id uuid not null
  id uuid not null
  type text not null
  wallet_id bigint
  network_id text
  tx_hash text
  body text not null
  credits smallint not null
  held boolean not null
  created_at timestamp with time zone not null
  endpoint_ids uuid[] not null default '{}'::uuid[]
  constraint account_events_check CHECK ((held = (seq IS NULL)))
  constraint account_events_seq_created_at_key UNIQUE (seq, created_at)
  partition by RANGE (created_at)
  CREATE INDEX account_events_held ON ONLY public.account_events USING btree (account_id, created_at, id) WHERE held
  CREATE INDEX account_events_of_account ON ONLY public.account_events USING btree (account_id, seq)
  grant select to api
  grant select to ingest

table accounts
  id uuid not null default uuidv7()
  name text not null
  plan text not null
  credits_per_month bigint
  requests_per_second integer
  anchor_at timestamp with time zone not null default now()
  created_at timestamp with time zone not null default now()
  degen boolean not null default false
  cost_method text not null default 'average'::text
  constraint accounts_check CHECK ((anchor_at <= created_at))
  constraint accounts_cost_method_check CHECK ((cost_method = ANY (ARRAY['average'::text, 'fifo'::text, 'lifo'::text, 'hifo'::text])))
  constraint accounts_credits_per_month_check CHECK ((credits_per_month >= 0))
  constraint accounts_requests_per_second_check CHECK (((requests_per_second >= 1) AND (requests_per_second <= 100000)))
  constraint accounts_plan_fkey FOREIGN KEY (plan) REFERENCES plans(id)
  constraint accounts_pkey PRIMARY KEY (id)
  CREATE TRIGGER account_events_deleted AFTER DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION forget_account_events()

table acquisitions
  fold_id bigint
  day timestamp with time zone
  coin_id text
  acquired_at timestamp with time zone
  seq integer
  reason text
  role text
  book_id bigint
  tx_id text
  quantity numeric
  cost_usd numeric
  worth_usd numeric
  grant select to api
  grant select to ingest
  as
 SELECT u.fold_id,
    u.day,
    a.use ->> 0 AS coin_id,
    '1970-01-01 00:00:00+00'::timestamp with time zone + ((a.use ->> 1)::bigint)::double precision * '00:00:00.001'::interval AS acquired_at,
    (a.use ->> 2)::integer AS seq,
    a.use ->> 3 AS reason,
    a.use ->> 9 AS role,
    (a.use ->> 4)::bigint AS book_id,
    a.use ->> 5 AS tx_id,
    (a.use ->> 6)::numeric AS quantity,
    (a.use ->> 7)::numeric AS cost_usd,
    (a.use ->> 8)::numeric AS worth_usd
   FROM lot_uses u
     CROSS JOIN LATERAL jsonb_array_elements(u.acquired) a(use)

table alert_rules
  id uuid not null
  account_id uuid not null
  endpoint_id uuid
  kind text not null
  subject text not null
  rule jsonb not null
  armed boolean not null default true
  fired_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  value_usd numeric
  constraint alert_rules_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
  constraint alert_rules_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE
  constraint alert_rules_pkey PRIMARY KEY (id)
  CREATE INDEX alert_rules_of_account ON public.alert_rules USING btree (account_id, created_at, id)
  CREATE INDEX alert_rules_of_subject ON public.alert_rules USING btree (kind, subject)
  grant select to api
  grant select, update to ingest

table api_keys
  hash bytea not null
  account_id uuid not null
  prefix text not null
  name text not null
  created_at timestamp with time zone not null default now()
  revoked_at timestamp with time zone
  read_only boolean not null default false
  opens text[]
  expires_at timestamp with time zone
  constraint api_keys_hash_check CHECK ((octet_length(hash) = 32))
  constraint api_keys_opens_check CHECK ((cardinality(opens) > 0))
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint api_keys_pkey PRIMARY KEY (hash)
  CREATE INDEX api_keys_by_account ON public.api_keys USING btree (account_id)

table balance_days
  book_id bigint not null
  coin_id text not null
  at timestamp with time zone not null
  raw numeric(79,0) not null
  decimals smallint not null
  paid_quantity numeric
  paid_usd numeric
  constraint balance_days_pkey PRIMARY KEY (book_id, coin_id, at)
  grant select to api
  grant delete, insert, select, update to ingest

table balances
  wallet_id bigint not null
  network_id text not null
  coin_id text not null
  token_address text
  raw numeric(78,0) not null
  decimals smallint
  block_number bigint not null
  block_hash text not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint balances_pkey PRIMARY KEY (wallet_id, network_id, coin_id)
  grant select to api
  grant delete, insert, select, update to ingest

table blocks
  network_id text not null
  number bigint not null
  hash text not null
  parent_hash text
  at timestamp with time zone not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint blocks_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint blocks_pkey PRIMARY KEY (network_id, number)
  grant select to api
  grant delete, insert, select, update to ingest

table books
  id bigint not null generated always as identity
  wallet_id bigint
  network_id text
  connection_id uuid
  portfolio_id uuid
  recorded_at timestamp with time zone not null default now()
  constraint books_check CHECK ((((wallet_id IS NULL) = (network_id IS NULL)) AND (num_nonnulls(wallet_id, connection_id, portfolio_id) = 1)))
  constraint books_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES exchange_connections(id)
  constraint books_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES portfolios(id)
  constraint books_pkey PRIMARY KEY (id)
  constraint books_connection_id_key UNIQUE (connection_id)
  constraint books_portfolio_id_key UNIQUE (portfolio_id)
  constraint books_wallet_id_network_id_key UNIQUE (wallet_id, network_id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER keep_deleted AFTER DELETE ON books REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('id, wallet_id, network_id, connection_id, portfolio_id', 'id', 'true')
  CREATE TRIGGER keep_updated AFTER UPDATE ON books REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('id, wallet_id, network_id, connection_id, portfolio_id', 'id', 'true')
  CREATE TRIGGER note_inserted AFTER INSERT ON books FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER stamp BEFORE UPDATE ON books FOR EACH ROW WHEN (old.wallet_id IS DISTINCT FROM new.wallet_id OR old.network_id IS DISTINCT FROM new.network_id OR old.connection_id IS DISTINCT FROM new.connection_id OR old.portfolio_id IS DISTINCT FROM new.portfolio_id) EXECUTE FUNCTION past.stamp()

table coin_contracts
  blockchain text not null
  address text not null
  coin_id text not null
  decimals smallint
  source text not null
  fetched_at timestamp with time zone not null
  recorded_at timestamp with time zone not null default now()
  constraint coin_contracts_coin_id_fkey FOREIGN KEY (coin_id) REFERENCES coins(id)
  constraint coin_contracts_pkey PRIMARY KEY (blockchain, address)
  CREATE INDEX coin_contracts_by_address ON public.coin_contracts USING btree (lower(address))
  CREATE INDEX coin_contracts_by_coin ON public.coin_contracts USING btree (coin_id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER hold_coins_inserted AFTER INSERT ON coin_contracts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.hold_coins('select n.coin_id from new_rows n where n.address in (select token_address from defi_assets)')
  CREATE TRIGGER hold_coins_updated AFTER UPDATE ON coin_contracts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.hold_coins('select n.coin_id from new_rows n where n.address in (select token_address from defi_assets)')
  CREATE TRIGGER keep_deleted AFTER DELETE ON coin_contracts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('blockchain, address, coin_id', 'blockchain, address', 'true')
  CREATE TRIGGER keep_updated AFTER UPDATE ON coin_contracts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('blockchain, address, coin_id', 'blockchain, address', 'true')
  CREATE TRIGGER listings_after_delete AFTER DELETE ON coin_contracts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION update_coin_listings()
  CREATE TRIGGER listings_after_insert AFTER INSERT ON coin_contracts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION update_coin_listings()
  CREATE TRIGGER listings_after_update AFTER UPDATE ON coin_contracts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION update_coin_listings()
  CREATE TRIGGER note_inserted AFTER INSERT ON coin_contracts FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON coin_contracts FOR EACH STATEMENT EXECUTE FUNCTION note_revision()
  CREATE TRIGGER stamp BEFORE UPDATE ON coin_contracts FOR EACH ROW WHEN (old.coin_id IS DISTINCT FROM new.coin_id) EXECUTE FUNCTION past.stamp()

table coin_fold_days
  fold_id bigint not null
  coin_id text not null
  month timestamp with time zone not null
  held numeric not null
  days jsonb not null
  recorded_at timestamp with time zone not null default now()
  constraint coin_fold_days_fold_id_fkey FOREIGN KEY (fold_id) REFERENCES folds(id) ON DELETE CASCADE
  constraint coin_fold_days_pkey PRIMARY KEY (fold_id, coin_id, month)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER keep_deleted AFTER DELETE ON coin_fold_days REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('fold_id, coin_id, month, held, days', 'fold_id, coin_id, month', 'true')
  CREATE TRIGGER keep_updated AFTER UPDATE ON coin_fold_days REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('fold_id, coin_id, month, held, days', 'fold_id, coin_id, month', 'true')
  CREATE TRIGGER note_inserted AFTER INSERT ON coin_fold_days FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER stamp BEFORE UPDATE ON coin_fold_days FOR EACH ROW WHEN (old.held IS DISTINCT FROM new.held OR old.days IS DISTINCT FROM new.days) EXECUTE FUNCTION past.stamp()

table coin_folds
  fold_id bigint not null
  coin_id text not null
  month timestamp with time zone not null
  quantity numeric not null
  acquired_quantity numeric not null
  disposed_quantity numeric not null
  sold_quantity numeric not null
  uncovered numeric not null
  last_side text
  last_quantity numeric
  cost_usd numeric not null
  cost_btc numeric not null
  cost_eth numeric not null
  acquired_usd numeric not null
  acquired_btc numeric not null
  acquired_eth numeric not null
  disposed_usd numeric not null
  disposed_btc numeric not null
  disposed_eth numeric not null
  disposed_cost_usd numeric not null
  disposed_cost_btc numeric not null
  disposed_cost_eth numeric not null
  sold_usd numeric not null
  sold_btc numeric not null
  sold_eth numeric not null
  last_usd numeric
  last_btc numeric
  last_eth numeric
  lots_usd jsonb
  lots_btc jsonb
  lots_eth jsonb
  recorded_at timestamp with time zone not null default now()
  unvalued_quantity numeric not null default 0
  paid_usd numeric not null default 0
  constraint coin_folds_last_side_check CHECK ((last_side = ANY (ARRAY['buy'::text, 'sell'::text])))
  constraint coin_folds_fold_id_fkey FOREIGN KEY (fold_id) REFERENCES folds(id) ON DELETE CASCADE
  constraint coin_folds_pkey PRIMARY KEY (fold_id, coin_id, month)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER hold_coins AFTER INSERT ON coin_folds REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.hold_coins('select coin_id from new_rows')
  CREATE TRIGGER keep_deleted AFTER DELETE ON coin_folds REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('fold_id, coin_id, month, quantity, acquired_quantity, disposed_quantity, sold_quantity, uncovered, last_side, last_quantity, cost_usd, acquired_usd, disposed_usd, disposed_cost_usd, sold_usd, last_usd, cost_btc, acquired_btc, disposed_btc, disposed_cost_btc, sold_btc, last_btc, cost_eth, acquired_eth, disposed_eth, disposed_cost_eth, sold_eth, last_eth, unvalued_quantity, paid_usd', 'fold_id, coin_id, month', 'true')
  CREATE TRIGGER keep_updated AFTER UPDATE ON coin_folds REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('fold_id, coin_id, month, quantity, acquired_quantity, disposed_quantity, sold_quantity, uncovered, last_side, last_quantity, cost_usd, acquired_usd, disposed_usd, disposed_cost_usd, sold_usd, last_usd, cost_btc, acquired_btc, disposed_btc, disposed_cost_btc, sold_btc, last_btc, cost_eth, acquired_eth, disposed_eth, disposed_cost_eth, sold_eth, last_eth, unvalued_quantity, paid_usd', 'fold_id, coin_id, month', 'true')
  CREATE TRIGGER note_inserted AFTER INSERT ON coin_folds FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER stamp BEFORE UPDATE ON coin_folds FOR EACH ROW WHEN (old.quantity IS DISTINCT FROM new.quantity OR old.acquired_quantity IS DISTINCT FROM new.acquired_quantity OR old.disposed_quantity IS DISTINCT FROM new.disposed_quantity OR old.sold_quantity IS DISTINCT FROM new.sold_quantity OR old.uncovered IS DISTINCT FROM new.uncovered OR old.last_side IS DISTINCT FROM new.last_side OR old.last_quantity IS DISTINCT FROM new.last_quantity OR old.cost_usd IS DISTINCT FROM new.cost_usd OR old.acquired_usd IS DISTINCT FROM new.acquired_usd OR old.disposed_usd IS DISTINCT FROM new.disposed_usd OR old.disposed_cost_usd IS DISTINCT FROM new.disposed_cost_usd OR old.sold_usd IS DISTINCT FROM new.sold_usd OR old.last_usd IS DISTINCT FROM new.last_usd OR old.cost_btc IS DISTINCT FROM new.cost_btc OR old.acquired_btc IS DISTINCT FROM new.acquired_btc OR old.disposed_btc IS DISTINCT FROM new.disposed_btc OR old.disposed_cost_btc IS DISTINCT FROM new.disposed_cost_btc OR old.sold_btc IS DISTINCT FROM new.sold_btc OR old.last_btc IS DISTINCT FROM new.last_btc OR old.cost_eth IS DISTINCT FROM new.cost_eth OR old.acquired_eth IS DISTINCT FROM new.acquired_eth OR old.disposed_eth IS DISTINCT FROM new.disposed_eth OR old.disposed_cost_eth IS DISTINCT FROM new.disposed_cost_eth OR old.sold_eth IS DISTINCT FROM new.sold_eth OR old.last_eth IS DISTINCT FROM new.last_eth OR old.unvalued_quantity IS DISTINCT FROM new.unvalued_quantity OR old.paid_usd IS DISTINCT FROM new.paid_usd) EXECUTE FUNCTION past.stamp()

table coin_listings
  coin_id text not null
  listed boolean not null
  rank integer
  name text not null
  symbol text not null
  categories text[] not null
  blockchains text[] not null
  price_usd numeric not null
  market_cap_usd numeric
  fully_diluted_valuation_usd numeric
  volume_24h_usd numeric
  available_supply numeric
  total_supply numeric
  price_change_1h numeric
  price_change_1d numeric
  price_change_1w numeric
  risk_score numeric
  constraint coin_listings_pkey PRIMARY KEY (coin_id)
  CREATE INDEX coin_listings_by_name ON public.coin_listings USING btree (name, coin_id) WHERE listed
  CREATE INDEX coin_listings_by_symbol ON public.coin_listings USING btree (symbol, coin_id) WHERE listed
  CREATE INDEX coin_listings_down_by_market_cap_usd ON public.coin_listings USING btree (market_cap_usd DESC NULLS LAST, coin_id) WHERE listed
  CREATE INDEX coin_listings_down_by_price_change_1d ON public.coin_listings USING btree (price_change_1d DESC NULLS LAST, coin_id) WHERE listed
  CREATE INDEX coin_listings_down_by_price_change_1h ON public.coin_listings USING btree (price_change_1h DESC NULLS LAST, coin_id) WHERE listed
  CREATE INDEX coin_listings_down_by_price_change_1w ON public.coin_listings USING btree (price_change_1w DESC NULLS LAST, coin_id) WHERE listed
  CREATE INDEX coin_listings_down_by_price_usd ON public.coin_listings USING btree (price_usd DESC NULLS LAST, coin_id) WHERE listed
  CREATE INDEX coin_listings_down_by_rank ON public.coin_listings USING btree (rank DESC NULLS LAST, coin_id) WHERE listed
  CREATE INDEX coin_listings_down_by_volume_24h_usd ON public.coin_listings USING btree (volume_24h_usd DESC NULLS LAST, coin_id) WHERE listed
  CREATE INDEX coin_listings_up_by_market_cap_usd ON public.coin_listings USING btree (market_cap_usd, coin_id) WHERE listed
  CREATE INDEX coin_listings_up_by_price_change_1d ON public.coin_listings USING btree (price_change_1d, coin_id) WHERE listed
  CREATE INDEX coin_listings_up_by_price_change_1h ON public.coin_listings USING btree (price_change_1h, coin_id) WHERE listed
  CREATE INDEX coin_listings_up_by_price_change_1w ON public.coin_listings USING btree (price_change_1w, coin_id) WHERE listed
  CREATE INDEX coin_listings_up_by_price_usd ON public.coin_listings USING btree (price_usd, coin_id) WHERE listed
  CREATE INDEX coin_listings_up_by_rank ON public.coin_listings USING btree (rank, coin_id) WHERE listed
  CREATE INDEX coin_listings_up_by_volume_24h_usd ON public.coin_listings USING btree (volume_24h_usd, coin_id) WHERE listed
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON coin_listings FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table coin_mappings
  source text not null
  upstream_id text not null
  coin_id text not null
  constraint coin_mappings_coin_id_fkey FOREIGN KEY (coin_id) REFERENCES coins(id)
  constraint coin_mappings_pkey PRIMARY KEY (source, upstream_id)
  CREATE INDEX coin_mappings_by_coin ON public.coin_mappings USING btree (coin_id)
  grant select to api
  grant delete, insert, select, update to ingest

table coin_moves
  fold_id bigint not null
  at timestamp with time zone not null
  seq integer not null
  coin_id text not null
  quantity numeric not null
  is_trade boolean not null
  amount_usd numeric not null
  amount_btc numeric not null
  amount_eth numeric not null
  market_usd numeric not null
  market_btc numeric not null
  market_eth numeric not null
  recorded_at timestamp with time zone not null default now()
  paid_usd numeric not null default 0
  constraint coin_moves_fold_id_fkey FOREIGN KEY (fold_id) REFERENCES folds(id) ON DELETE CASCADE
  constraint coin_moves_pkey PRIMARY KEY (fold_id, at, seq)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER keep_deleted AFTER DELETE ON coin_moves REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('fold_id, at, seq, coin_id, quantity, is_trade, amount_usd, amount_btc, amount_eth, market_usd, market_btc, market_eth, paid_usd', 'fold_id, at, seq', 'true')
  CREATE TRIGGER keep_updated AFTER UPDATE ON coin_moves REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('fold_id, at, seq, coin_id, quantity, is_trade, amount_usd, amount_btc, amount_eth, market_usd, market_btc, market_eth, paid_usd', 'fold_id, at, seq', 'true')
  CREATE TRIGGER note_inserted AFTER INSERT ON coin_moves FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER stamp BEFORE UPDATE ON coin_moves FOR EACH ROW WHEN (old.coin_id IS DISTINCT FROM new.coin_id OR old.quantity IS DISTINCT FROM new.quantity OR old.is_trade IS DISTINCT FROM new.is_trade OR old.amount_usd IS DISTINCT FROM new.amount_usd OR old.amount_btc IS DISTINCT FROM new.amount_btc OR old.amount_eth IS DISTINCT FROM new.amount_eth OR old.market_usd IS DISTINCT FROM new.market_usd OR old.market_btc IS DISTINCT FROM new.market_btc OR old.market_eth IS DISTINCT FROM new.market_eth OR old.paid_usd IS DISTINCT FROM new.paid_usd) EXECUTE FUNCTION past.stamp()

table coin_quotes
  coin_id text not null
  price_usd numeric not null
  volume_24h_usd numeric
  market_cap_usd numeric
  fully_diluted_valuation_usd numeric
  available_supply numeric
  total_supply numeric
  price_change_1h numeric
  price_change_1d numeric
  price_change_1w numeric
  price_change_1m numeric
  all_time_high_usd numeric
  all_time_high_at timestamp with time zone
  all_time_low_usd numeric
  all_time_low_at timestamp with time zone
  at timestamp with time zone not null
  stale boolean not null default false
  source text not null
  fetched_at timestamp with time zone not null
  recorded_at timestamp with time zone not null default now()
  constraint coin_quotes_coin_id_fkey FOREIGN KEY (coin_id) REFERENCES coins(id)
  constraint coin_quotes_pkey PRIMARY KEY (coin_id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER alerts_after_insert AFTER INSERT ON coin_quotes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION decide_coin_alerts()
  CREATE TRIGGER alerts_after_update AFTER UPDATE ON coin_quotes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION decide_coin_alerts()
  CREATE TRIGGER keep_deleted AFTER DELETE ON coin_quotes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('coin_id, price_usd, volume_24h_usd, price_change_1h, price_change_1d, price_change_1w, price_change_1m, at', 'coin_id', 'old.coin_id in (select coin_id from past.coins_held)')
  CREATE TRIGGER keep_updated AFTER UPDATE ON coin_quotes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('coin_id, price_usd, volume_24h_usd, price_change_1h, price_change_1d, price_change_1w, price_change_1m, at', 'coin_id', 'old.coin_id in (select coin_id from past.coins_held)')
  CREATE TRIGGER listings_after_insert AFTER INSERT ON coin_quotes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION update_coin_listings()
  CREATE TRIGGER listings_after_update AFTER UPDATE ON coin_quotes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION update_coin_listings()
  CREATE TRIGGER note_inserted AFTER INSERT ON coin_quotes FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON coin_quotes FOR EACH STATEMENT EXECUTE FUNCTION note_revision()
  CREATE TRIGGER stamp BEFORE UPDATE ON coin_quotes FOR EACH ROW WHEN (old.price_usd IS DISTINCT FROM new.price_usd OR old.volume_24h_usd IS DISTINCT FROM new.volume_24h_usd OR old.price_change_1h IS DISTINCT FROM new.price_change_1h OR old.price_change_1d IS DISTINCT FROM new.price_change_1d OR old.price_change_1w IS DISTINCT FROM new.price_change_1w OR old.price_change_1m IS DISTINCT FROM new.price_change_1m OR old.at IS DISTINCT FROM new.at) EXECUTE FUNCTION past.stamp()

table coin_risks
  coin_id text not null
  liquidity_score numeric not null
  volatility_score numeric not null
  market_cap_score numeric not null
  risk_score numeric not null
  avg_change numeric not null
  source text not null
  fetched_at timestamp with time zone not null
  recorded_at timestamp with time zone not null default now()
  constraint coin_risks_coin_id_fkey FOREIGN KEY (coin_id) REFERENCES coins(id)
  constraint coin_risks_pkey PRIMARY KEY (coin_id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER keep_deleted AFTER DELETE ON coin_risks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('coin_id, liquidity_score, volatility_score, market_cap_score, risk_score, avg_change', 'coin_id', 'old.coin_id in (select coin_id from past.coins_held)')
  CREATE TRIGGER keep_updated AFTER UPDATE ON coin_risks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('coin_id, liquidity_score, volatility_score, market_cap_score, risk_score, avg_change', 'coin_id', 'old.coin_id in (select coin_id from past.coins_held)')
  CREATE TRIGGER listings_after_delete AFTER DELETE ON coin_risks REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION update_coin_listings()
  CREATE TRIGGER listings_after_insert AFTER INSERT ON coin_risks REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION update_coin_listings()
  CREATE TRIGGER listings_after_update AFTER UPDATE ON coin_risks REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION update_coin_listings()
  CREATE TRIGGER note_inserted AFTER INSERT ON coin_risks FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON coin_risks FOR EACH STATEMENT EXECUTE FUNCTION note_revision()
  CREATE TRIGGER stamp BEFORE UPDATE ON coin_risks FOR EACH ROW WHEN (old.liquidity_score IS DISTINCT FROM new.liquidity_score OR old.volatility_score IS DISTINCT FROM new.volatility_score OR old.market_cap_score IS DISTINCT FROM new.market_cap_score OR old.risk_score IS DISTINCT FROM new.risk_score OR old.avg_change IS DISTINCT FROM new.avg_change) EXECUTE FUNCTION past.stamp()

table coins
  id text not null
  symbol text not null
  name text not null
  icon text
  rank integer
  slug text not null
  is_stable boolean not null default false
  categories text[] not null default '{}'::text[]
  website_url text
  reddit_url text
  twitter_url text
  explorers text[] not null default '{}'::text[]
  color text
  last_seen_at timestamp with time zone not null
  delisted_at timestamp with time zone
  source text not null
  fetched_at timestamp with time zone not null
  recorded_at timestamp with time zone not null default now()
  constraint coins_pkey PRIMARY KEY (id)
  CREATE INDEX coins_by_rank ON public.coins USING btree (rank, id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER keep_deleted AFTER DELETE ON coins REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('id, symbol, name, icon, rank', 'id', 'old.id in (select coin_id from past.coins_held)')
  CREATE TRIGGER keep_updated AFTER UPDATE ON coins REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('id, symbol, name, icon, rank', 'id', 'old.id in (select coin_id from past.coins_held)')
  CREATE TRIGGER listings_after_insert AFTER INSERT ON coins REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION update_coin_listings()
  CREATE TRIGGER listings_after_update AFTER UPDATE ON coins REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION update_coin_listings()
  CREATE TRIGGER note_inserted AFTER INSERT ON coins FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON coins FOR EACH STATEMENT EXECUTE FUNCTION note_revision()
  CREATE TRIGGER stamp BEFORE UPDATE ON coins FOR EACH ROW WHEN (old.symbol IS DISTINCT FROM new.symbol OR old.name IS DISTINCT FROM new.name OR old.icon IS DISTINCT FROM new.icon OR old.rank IS DISTINCT FROM new.rank) EXECUTE FUNCTION past.stamp()

table cold_files
  file text not null
  dataset text not null
  month date not null
  rows bigint not null
  bytes bigint not null
  sha256 text not null
  unfit bigint not null
  definition text not null
  moved_at timestamp with time zone not null
  id integer not null generated always as identity
  constraint cold_files_pkey PRIMARY KEY (file)
  grant select to ingest

table cold_transactions
  network_id text not null
  digest uuid not null
  block_number bigint not null
  at timestamp with time zone not null
  file_id integer not null
  from_address text
  hash text
  constraint cold_transactions_check CHECK (((from_address IS NULL) = (hash IS NULL)))
  constraint cold_transactions_pkey PRIMARY KEY (network_id, digest)
  CREATE INDEX cold_transactions_by_sender ON public.cold_transactions USING btree (network_id, from_address, block_number) WHERE (from_address IS NOT NULL)
  grant select to ingest

table connect_codes
  hash bytea not null
  kit_id uuid not null
  account_id uuid not null
  portfolio_id uuid not null
  address text
  network_id text
  existed boolean not null
  nonce text
  expires_at timestamp with time zone not null
  redeemed_at timestamp with time zone
  constraint connect_codes_check CHECK (((address IS NULL) = (network_id IS NULL)))
  constraint connect_codes_hash_check CHECK ((octet_length(hash) = 32))
  constraint connect_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint connect_codes_kit_id_fkey FOREIGN KEY (kit_id) REFERENCES connect_kits(id) ON DELETE CASCADE
  constraint connect_codes_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint connect_codes_pkey PRIMARY KEY (hash)
  constraint connect_codes_nonce_key UNIQUE (nonce)
  CREATE INDEX connect_codes_by_end ON public.connect_codes USING btree (expires_at)
  CREATE INDEX connect_codes_of_kit ON public.connect_codes USING btree (kit_id)
  grant select to api

table connect_kits
  id uuid not null
  account_id uuid not null
  name text not null
  logo text
  appearance text not null
  accent text not null
  mode text not null
  origins text[] not null
  redirect_urls text[] not null
  created_at timestamp with time zone not null default now()
  constraint connect_kits_accent_check CHECK ((accent ~ '^#[0-9a-f]{6}$'::text))
  constraint connect_kits_appearance_check CHECK ((appearance = ANY (ARRAY['system'::text, 'light'::text, 'dark'::text])))
  constraint connect_kits_mode_check CHECK ((mode = ANY (ARRAY['popup'::text, 'redirect'::text])))
  constraint connect_kits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint connect_kits_pkey PRIMARY KEY (id)
  CREATE INDEX connect_kits_of_account ON public.connect_kits USING btree (account_id, created_at)

table connected_agents
  issuer text not null
  user_subject text not null
  client_id text not null
  name text not null
  connected_at timestamp with time zone not null default now()
  last_used_at timestamp with time zone
  ended_at timestamp with time zone
  constraint connected_agents_client_id_check CHECK (((length(client_id) >= 1) AND (length(client_id) <= 512)))
  constraint connected_agents_issuer_user_subject_fkey FOREIGN KEY (issuer, user_subject) REFERENCES identities(issuer, subject) ON UPDATE CASCADE ON DELETE CASCADE
  constraint connected_agents_pkey PRIMARY KEY (issuer, user_subject, client_id)

table credit_grants
  id text not null
  account_id uuid not null
  credits bigint not null
  spent bigint not null default 0
  expires_at timestamp with time zone not null
  created_at timestamp with time zone not null default now()
  constraint credit_grants_check CHECK (((spent >= 0) AND (spent <= credits)))
  constraint credit_grants_credits_check CHECK (((credits >= 1) AND (credits <= '1000000000000000'::bigint)))
  constraint credit_grants_id_check CHECK ((id ~ '^[\x21-\x7e]{1,255}$'::text))
  constraint credit_grants_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint credit_grants_pkey PRIMARY KEY (id)
  CREATE INDEX credit_grants_by_account ON public.credit_grants USING btree (account_id, expires_at)

table credit_periods
  with fillfactor=50
  account_id uuid not null
  n integer not null
  starts_at timestamp with time zone not null
  ends_at timestamp with time zone not null
  granted bigint not null
  posted bigint not null default 0
  is_open boolean not null default true
  topped_up bigint not null default 0
  topups_spent bigint not null default 0
  fresh_until timestamp with time zone not null
  constraint credit_periods_n_check CHECK ((n >= 0))
  constraint credit_periods_posted_check CHECK ((posted >= 0))
  constraint credit_periods_topped_up_check CHECK ((topped_up >= 0))
  constraint credit_periods_topups_spent_check CHECK ((topups_spent >= 0))
  constraint never_overspent CHECK ((posted <= granted))
  constraint credit_periods_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint credit_periods_pkey PRIMARY KEY (account_id, n)
  CREATE UNIQUE INDEX credit_periods_open ON public.credit_periods USING btree (account_id) WHERE is_open

table defi_assets
  wallet_id bigint not null
  network_id text not null
  protocol_id text not null
  position_id text not null
  seq integer not null
  role text not null
  token_address text
  raw numeric(78,0) not null
  block_number bigint not null
  block_hash text not null
  source text not null
  fetched_at timestamp with time zone not null
  recorded_at timestamp with time zone not null default now()
  apr_percent numeric
  constraint defi_assets_raw_check CHECK ((raw > (0)::numeric))
  constraint defi_assets_role_check CHECK ((role = ANY (ARRAY['supplied'::text, 'borrowed'::text, 'staked'::text, 'locked'::text, 'unclaimed'::text, 'withdrawing'::text, 'claimable'::text])))
  constraint defi_assets_wallet_id_network_id_protocol_id_position_id_fkey FOREIGN KEY (wallet_id, network_id, protocol_id, position_id) REFERENCES defi_positions(wallet_id, network_id, protocol_id, id) ON DELETE CASCADE
  constraint defi_assets_pkey PRIMARY KEY (wallet_id, network_id, protocol_id, position_id, seq)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER hold_coins AFTER INSERT ON defi_assets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.hold_coins('select t.coin_id from new_rows n join tokens t on t.network_id = n.network_id and t.address = n.token_address
     union all
     select c.coin_id from new_rows n join networks w on w.id = n.network_id
     join coin_contracts c on c.blockchain = w.blockchain and c.address = n.token_address')
  CREATE TRIGGER keep_deleted AFTER DELETE ON defi_assets REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('wallet_id, network_id, protocol_id, position_id, seq, role, token_address, raw, apr_percent', 'wallet_id, network_id, protocol_id, position_id, seq', 'true')
  CREATE TRIGGER keep_updated AFTER UPDATE ON defi_assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('wallet_id, network_id, protocol_id, position_id, seq, role, token_address, raw, apr_percent', 'wallet_id, network_id, protocol_id, position_id, seq', 'true')
  CREATE TRIGGER note_inserted AFTER INSERT ON defi_assets FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER stamp BEFORE UPDATE ON defi_assets FOR EACH ROW WHEN (old.role IS DISTINCT FROM new.role OR old.token_address IS DISTINCT FROM new.token_address OR old.raw IS DISTINCT FROM new.raw OR old.apr_percent IS DISTINCT FROM new.apr_percent) EXECUTE FUNCTION past.stamp()

table defi_deployments
  protocol_id text not null
  network_id text not null
  constraint defi_deployments_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint defi_deployments_protocol_id_fkey FOREIGN KEY (protocol_id) REFERENCES defi_protocols(id)
  constraint defi_deployments_pkey PRIMARY KEY (network_id, protocol_id)
  grant select to api
  grant select to ingest

table defi_marks
  wallet_id bigint not null
  network_id text not null
  marked_at timestamp with time zone not null default clock_timestamp()
  block_number bigint
  attempts integer not null default 0
  next_at timestamp with time zone not null default clock_timestamp()
  constraint defi_marks_pkey PRIMARY KEY (wallet_id, network_id)
  CREATE INDEX defi_marks_next ON public.defi_marks USING btree (next_at)
  grant select to api
  grant delete, insert, select, update to ingest

table defi_positions
  wallet_id bigint not null
  network_id text not null
  protocol_id text not null
  id text not null
  name text not null
  pool_address text not null
  health_rate numeric
  unlock_at timestamp with time zone
  end_at timestamp with time zone
  block_number bigint not null
  block_hash text not null
  source text not null
  fetched_at timestamp with time zone not null
  recorded_at timestamp with time zone not null default now()
  is_proxy boolean not null default false
  constraint defi_positions_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint defi_positions_protocol_id_fkey FOREIGN KEY (protocol_id) REFERENCES defi_protocols(id)
  constraint defi_positions_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
  constraint defi_positions_pkey PRIMARY KEY (wallet_id, network_id, protocol_id, id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER holders_deleted AFTER DELETE ON defi_positions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_defi_holders()
  CREATE TRIGGER holders_inserted AFTER INSERT ON defi_positions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_defi_holders()
  CREATE TRIGGER keep_deleted AFTER DELETE ON defi_positions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('wallet_id, network_id, protocol_id, id, name, pool_address, health_rate, unlock_at, end_at, is_proxy', 'wallet_id, network_id, protocol_id, id', 'true')
  CREATE TRIGGER keep_updated AFTER UPDATE ON defi_positions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('wallet_id, network_id, protocol_id, id, name, pool_address, health_rate, unlock_at, end_at, is_proxy', 'wallet_id, network_id, protocol_id, id', 'true')
  CREATE TRIGGER note_inserted AFTER INSERT ON defi_positions FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER stamp BEFORE UPDATE ON defi_positions FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.pool_address IS DISTINCT FROM new.pool_address OR old.health_rate IS DISTINCT FROM new.health_rate OR old.unlock_at IS DISTINCT FROM new.unlock_at OR old.end_at IS DISTINCT FROM new.end_at OR old.is_proxy IS DISTINCT FROM new.is_proxy) EXECUTE FUNCTION past.stamp()

table defi_protocols
  id text not null
  name text not null
  logo text not null
  url text not null
  health_url text
  position integer not null
  constraint defi_protocols_pkey PRIMARY KEY (id)
  grant select to api
  grant select to ingest

table defi_reads
  wallet_id bigint not null
  network_id text not null
  block_number bigint
  block_hash text
  block_at timestamp with time zone
  complete_at timestamp with time zone
  failed_at timestamp with time zone
  failure text
  source text not null
  fetched_at timestamp with time zone
  is_holder boolean not null default false
  constraint defi_reads_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint defi_reads_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
  constraint defi_reads_pkey PRIMARY KEY (wallet_id, network_id)
  CREATE INDEX defi_reads_holders ON public.defi_reads USING btree (GREATEST(fetched_at, failed_at), wallet_id, network_id) WHERE is_holder
  grant select to api
  grant delete, insert, select, update to ingest

table deliveries
  with fillfactor=70
  endpoint_id uuid not null
  seq bigint not null
  attempts integer not null default 0
  next_at timestamp with time zone default now()
  status integer
  ms integer
  delivered_at timestamp with time zone
  lane smallint not null default 0
  failure text
  constraint deliveries_lane_check CHECK (((lane >= 0) AND (lane <= 3)))
  constraint deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE
  constraint deliveries_pkey PRIMARY KEY (endpoint_id, seq)
  CREATE INDEX deliveries_tried ON public.deliveries USING btree (next_at) WHERE ((attempts > 0) AND (next_at IS NOT NULL))
  CREATE INDEX deliveries_unsent ON public.deliveries USING btree (endpoint_id, lane, seq) WHERE ((attempts = 0) AND (next_at < 'infinity'::timestamp with time zone))
  CREATE INDEX deliveries_waiting ON public.deliveries USING btree (endpoint_id, lane, seq) WHERE (next_at IS NOT NULL)
  grant select to api
  grant delete, insert, select, update to ingest

table disposals
  fold_id bigint
  day timestamp with time zone
  coin_id text
  disposed_at timestamp with time zone
  seq integer
  position integer
  reason text
  book_id bigint
  tx_id text
  acquired_at timestamp with time zone
  acquired_book_id bigint
  acquired_tx_id text
  quantity numeric
  proceeds_usd numeric
  cost_usd numeric
  fee_usd numeric
  gain_usd numeric
  holding_days integer
  uncovered boolean
  income_usd numeric
  grant select to api
  grant select to ingest
  as
 SELECT p.fold_id,
    p.day,
    p.coin_id,
    p.disposed_at,
    p.seq,
    p."position",
    p.reason,
    p.book_id,
    p.tx_id,
    p.acquired_at,
    a.book_id AS acquired_book_id,
    a.tx_id AS acquired_tx_id,
    p.quantity,
    p.proceeds_usd,
    p.cost_usd,
    p.fee_usd,
    p.proceeds_usd - p.cost_usd AS gain_usd,
    floor(EXTRACT(epoch FROM p.disposed_at - p.acquired_at) / 86400::numeric)::integer AS holding_days,
    p.uncovered,
        CASE
            WHEN a.reason = 'income'::text THEN a.worth_usd * p.quantity / NULLIF(a.quantity, 0::numeric)
            ELSE NULL::numeric
        END AS income_usd
   FROM ( SELECT u.fold_id,
            u.day,
            d.use ->> 0 AS coin_id,
            '1970-01-01 00:00:00+00'::timestamp with time zone + ((d.use ->> 1)::bigint)::double precision * '00:00:00.001'::interval AS disposed_at,
            (d.use ->> 2)::integer AS seq,
            l."position"::integer AS "position",
            d.use ->> 3 AS reason,
            (d.use ->> 4)::bigint AS book_id,
            d.use ->> 5 AS tx_id,
            '1970-01-01 00:00:00+00'::timestamp with time zone + ((l.part ->> 0)::bigint)::double precision * '00:00:00.001'::interval AS acquired_at,
            (l.part ->> 1)::integer AS acquired_seq,
            (l.part ->> 2)::numeric AS quantity,
            (l.part ->> 3)::numeric AS proceeds_usd,
            COALESCE((l.part ->> 4)::numeric, 0::numeric) AS cost_usd,
            COALESCE((l.part ->> 5)::numeric, 0::numeric) AS fee_usd,
            (l.part ->> 4) IS NULL AS uncovered
           FROM lot_uses u
             CROSS JOIN LATERAL jsonb_array_elements(u.disposed) d(use)
             CROSS JOIN LATERAL jsonb_array_elements(d.use -> 6) WITH ORDINALITY l(part, "position")) p
     LEFT JOIN acquisitions a ON a.fold_id = p.fold_id AND a.acquired_at = p.acquired_at AND a.seq = p.acquired_seq

table dropped_events
  account_id uuid not null
  seq bigint not null
  constraint dropped_events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
  constraint dropped_events_pkey PRIMARY KEY (account_id)
  grant select to api

table event_rates
  with fillfactor=50
  account_id uuid not null
  room double precision not null
  at timestamp with time zone not null
  constraint event_rates_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
  constraint event_rates_pkey PRIMARY KEY (account_id)

table event_sources
  id bigint not null generated always as identity
  kind text not null
  account_id uuid
  wallet_id bigint
  network_id text
  block_number bigint
  tx_hash text
  payload jsonb not null
  created_at timestamp with time zone not null default now()
  constraint event_sources_check CHECK ((num_nonnulls(account_id, wallet_id) = 1))
  constraint event_sources_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
  constraint event_sources_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint event_sources_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
  constraint event_sources_pkey PRIMARY KEY (id)
  grant delete, insert, select, update to ingest

table event_subscriptions
  account_id uuid not null
  endpoint_id uuid
  wallet_id bigint
  network_id text
  types text[]
  expires_at timestamp with time zone
  constraint event_subscriptions_types_check CHECK ((cardinality(types) > 0))
  constraint event_subscriptions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
  constraint event_subscriptions_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE
  constraint event_subscriptions_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint event_subscriptions_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
  constraint event_subscriptions_once UNIQUE NULLS NOT DISTINCT (account_id, endpoint_id, wallet_id, network_id, types)
  CREATE INDEX event_subscriptions_of_endpoint ON public.event_subscriptions USING btree (endpoint_id) WHERE (endpoint_id IS NOT NULL)
  CREATE INDEX event_subscriptions_of_wallet ON public.event_subscriptions USING btree (wallet_id)
  grant select to api
  grant delete, insert, select, update to ingest

table event_tickets
  hash bytea not null
  account_id uuid not null
  expires_at timestamp with time zone not null
  constraint event_tickets_hash_check CHECK ((octet_length(hash) = 32))
  constraint event_tickets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
  constraint event_tickets_pkey PRIMARY KEY (hash)
  CREATE INDEX event_tickets_by_end ON public.event_tickets USING btree (expires_at)

table event_watchers
  account_id uuid
  endpoint_id uuid
  wallet_id bigint
  network_id text
  types text[]
  grant select to ingest
  as
 SELECT s.account_id,
    s.endpoint_id,
    s.wallet_id,
    s.network_id,
    s.types
   FROM event_subscriptions s
  WHERE s.wallet_id IS NOT NULL AND (s.expires_at IS NULL OR s.expires_at > now())
UNION ALL
 SELECT s.account_id,
    s.endpoint_id,
    w.id AS wallet_id,
    p.network_id,
    s.types
   FROM event_subscriptions s
     JOIN portfolios p ON p.account_id = s.account_id AND p.kind = 'wallet'::text AND (s.network_id IS NULL OR s.network_id = p.network_id)
     JOIN wallets w ON w.address = p.address
  WHERE s.wallet_id IS NULL AND (s.expires_at IS NULL OR s.expires_at > now())

table exchange_assets
  venue text not null
  asset text not null
  coin_id text
  currency text
  source text not null
  fetched_at timestamp with time zone not null
  constraint exchange_assets_coin_id_fkey FOREIGN KEY (coin_id) REFERENCES coins(id)
  constraint exchange_assets_pkey PRIMARY KEY (venue, asset)
  grant select to api
  grant delete, insert, select, update to ingest

table exchange_balances
  connection_id uuid not null
  asset text not null
  amount numeric not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint exchange_balances_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES exchange_connections(id)
  constraint exchange_balances_pkey PRIMARY KEY (connection_id, asset)
  grant select to api
  grant delete, insert, select, update to ingest

table exchange_connections
  id uuid not null
  account_id uuid not null
  venue text not null
  name text
  fingerprint bytea not null
  version integer not null
  active_version integer
  refused_version integer
  refusal text
  created_at timestamp with time zone not null default now()
  synced_at timestamp with time zone
  covered_to timestamp with time zone
  failed_at timestamp with time zone
  failure text
  recorded_at timestamp with time zone not null default now()
  constraint exchange_connections_fingerprint_check CHECK ((octet_length(fingerprint) = 32))
  constraint exchange_connections_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint exchange_connections_pkey PRIMARY KEY (id)
  constraint exchange_connections_account_id_venue_fingerprint_key UNIQUE (account_id, venue, fingerprint)
  grant select to api
  grant select, update to ingest
  CREATE TRIGGER keep_deleted AFTER DELETE ON exchange_connections REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('id, venue, synced_at, covered_to', 'id', 'true')
  CREATE TRIGGER keep_updated AFTER UPDATE ON exchange_connections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('id, venue, synced_at, covered_to', 'id', 'true')
  CREATE TRIGGER note_inserted AFTER INSERT ON exchange_connections FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER stamp BEFORE UPDATE ON exchange_connections FOR EACH ROW WHEN (old.venue IS DISTINCT FROM new.venue OR old.synced_at IS DISTINCT FROM new.synced_at OR old.covered_to IS DISTINCT FROM new.covered_to) EXECUTE FUNCTION past.stamp()

table exchange_cursors
  connection_id uuid not null
  stream text not null
  symbol text not null
  position jsonb not null
  rows bigint not null default 0
  complete_at timestamp with time zone
  constraint exchange_cursors_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES exchange_connections(id)
  constraint exchange_cursors_pkey PRIMARY KEY (connection_id, stream, symbol)
  grant delete, insert, select, update to ingest

table exchange_legs
  connection_id uuid not null
  kind text not null
  key text not null
  role text not null
  asset text not null
  at timestamp with time zone not null
  delta numeric not null
  total numeric not null default 0
  price_usd numeric
  source text not null
  fetched_at timestamp with time zone not null
  constraint exchange_legs_role_check CHECK ((role = ANY (ARRAY['base'::text, 'quote'::text, 'fee'::text])))
  constraint exchange_legs_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES exchange_connections(id)
  constraint exchange_legs_pkey PRIMARY KEY (connection_id, kind, key, role)
  CREATE INDEX exchange_legs_by_asset ON public.exchange_legs USING btree (connection_id, asset, at, kind, key, role) INCLUDE (delta, total)
  CREATE INDEX exchange_legs_unpriced ON public.exchange_legs USING btree (connection_id) WHERE (price_usd IS NULL)
  grant select to api
  grant delete, insert, select, update to ingest

table exchange_secrets
  connection_id uuid not null
  version integer not null
  account_id uuid not null
  key_id text not null
  wrapped_key bytea not null
  ciphertext bytea not null
  sealed_at timestamp with time zone not null default now()
  constraint exchange_secrets_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES exchange_connections(id)
  constraint exchange_secrets_pkey PRIMARY KEY (connection_id, version)
  grant delete, select to ingest

table exchange_sync_requests
  workflow_id text
  requested_at timestamp with time zone
  grant select to api
  as
 SELECT workflow_id,
    created_at AS requested_at
   FROM outbox
  WHERE workflow = 'syncExchange'::text

table exchange_transactions
  connection_id uuid not null
  kind text not null
  key text not null
  at timestamp with time zone not null
  status text not null
  type text not null
  symbol text
  order_id text
  asset text not null
  amount numeric not null
  quote_asset text
  quote_amount numeric
  fee_asset text
  fee_amount numeric
  network text
  address text
  tx_hash text
  identified boolean not null default false
  derived boolean not null default false
  source text not null
  fetched_at timestamp with time zone not null
  role text
  unknown_kind text
  constraint exchange_transactions_kind_check CHECK ((kind = ANY (ARRAY['fill'::text, 'dust'::text, 'convert'::text, 'deposit'::text, 'withdrawal'::text, 'reward'::text, 'adjustment'::text, 'fee'::text, 'opening'::text])))
  constraint exchange_transactions_role_check CHECK ((role = ANY (ARRAY['airdrop'::text, 'interest'::text])))
  constraint exchange_transactions_status_check CHECK ((status = ANY (ARRAY['ok'::text, 'pending'::text, 'failed'::text])))
  constraint exchange_transactions_type_check CHECK ((type = ANY (ARRAY['deposit'::text, 'withdraw'::text, 'executed'::text, 'balance'::text, 'fee'::text])))
  constraint exchange_transactions_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES exchange_connections(id)
  constraint exchange_transactions_pkey PRIMARY KEY (connection_id, kind, key)
  CREATE INDEX exchange_transactions_by_type ON public.exchange_transactions USING btree (connection_id, type, at DESC, kind DESC, key DESC) INCLUDE (identified) WHERE (status = 'ok'::text)
  CREATE INDEX exchange_transactions_newest ON public.exchange_transactions USING btree (connection_id, at DESC, kind DESC, key DESC) INCLUDE (type, identified) WHERE (status = 'ok'::text)
  CREATE INDEX exchange_transactions_underived ON public.exchange_transactions USING btree (connection_id) WHERE (NOT derived)
  CREATE INDEX exchange_transactions_unknown ON public.exchange_transactions USING btree (connection_id, unknown_kind) WHERE (unknown_kind IS NOT NULL)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER days_deleted AFTER DELETE ON exchange_transactions REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_transaction_days('connection_id::text', 'case when status = ''ok'' then array_remove(array['''', asset, nullif(quote_asset, asset), asset || ''/'' || nullif(quote_asset, asset)], null) end')
  CREATE TRIGGER days_inserted AFTER INSERT ON exchange_transactions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_transaction_days('connection_id::text', 'case when status = ''ok'' then array_remove(array['''', asset, nullif(quote_asset, asset), asset || ''/'' || nullif(quote_asset, asset)], null) end')
  CREATE TRIGGER days_updated AFTER UPDATE OF at, status, asset, quote_asset ON exchange_transactions FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION count_transaction_days('connection_id::text', 'case when status = ''ok'' then array_remove(array['''', asset, nullif(quote_asset, asset), asset || ''/'' || nullif(quote_asset, asset)], null) end')

table fear_greed
  source text not null
  at timestamp with time zone not null
  value smallint not null
  fetched_at timestamp with time zone not null
  constraint fear_greed_value_check CHECK (((value >= 0) AND (value <= 100)))
  constraint fear_greed_pkey PRIMARY KEY (source, at)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON fear_greed FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table first_syncs
  asker text not null
  asked_at timestamp with time zone not null default now()
  syncs integer not null
  CREATE INDEX first_syncs_by_asker ON public.first_syncs USING btree (asker, asked_at)

table flows
  fold_id bigint
  day timestamp with time zone
  coin_id text
  at timestamp with time zone
  seq integer
  book_id bigint
  tx_id text
  quantity numeric
  flow_usd numeric
  grant select to ingest
  as
 SELECT acquisitions.fold_id,
    acquisitions.day,
    acquisitions.coin_id,
    acquisitions.acquired_at AS at,
    acquisitions.seq,
    acquisitions.book_id,
    acquisitions.tx_id,
    acquisitions.quantity,
    acquisitions.worth_usd AS flow_usd
   FROM acquisitions
  WHERE acquisitions.reason = 'receipt'::text
UNION ALL
 SELECT disposals.fold_id,
    disposals.day,
    disposals.coin_id,
    disposals.disposed_at AS at,
    disposals.seq,
    disposals.book_id,
    disposals.tx_id,
    - sum(disposals.quantity) AS quantity,
    - sum(disposals.proceeds_usd) AS flow_usd
   FROM disposals
  WHERE disposals.reason = 'send'::text
  GROUP BY disposals.fold_id, disposals.day, disposals.coin_id, disposals.disposed_at, disposals.seq, disposals.book_id, disposals.tx_id

table folds
  id bigint not null generated always as identity
  scope_id bigint not null
  method text not null
  dirty_from timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone
  folded_at timestamp with time zone
  revision bigint not null default 0
  recorded_at timestamp with time zone not null default now()
  days_revision bigint
  uses_revision bigint
  constraint folds_method_check CHECK ((method = ANY (ARRAY['average'::text, 'fifo'::text, 'lifo'::text, 'hifo'::text])))
  constraint folds_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES scopes(id) ON DELETE CASCADE
  constraint folds_pkey PRIMARY KEY (id)
  constraint folds_scope_id_method_key UNIQUE (scope_id, method)
  CREATE INDEX folds_dirty ON public.folds USING btree (scope_id) WHERE (dirty_from IS NOT NULL)
  CREATE INDEX folds_without_days ON public.folds USING btree (scope_id) WHERE (days_revision IS DISTINCT FROM revision)
  CREATE INDEX folds_without_uses ON public.folds USING btree (scope_id) WHERE (uses_revision IS DISTINCT FROM revision)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER keep_deleted AFTER DELETE ON folds REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('id, scope_id, method, folded_at', 'id', 'true')
  CREATE TRIGGER keep_updated AFTER UPDATE ON folds REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('id, scope_id, method, folded_at', 'id', 'true')
  CREATE TRIGGER note_inserted AFTER INSERT ON folds FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER stamp BEFORE UPDATE ON folds FOR EACH ROW WHEN (old.scope_id IS DISTINCT FROM new.scope_id OR old.method IS DISTINCT FROM new.method OR old.folded_at IS DISTINCT FROM new.folded_at) EXECUTE FUNCTION past.stamp()

table followed_networks
  network_id text
  is_on boolean
  as_of timestamp with time zone
  patience_ms integer
  grant select to api
  grant select to ingest
  as
 SELECT follow.network_id,
    follow.mode <> 'off'::text AS is_on,
        CASE
            WHEN follow.cursor_block >= follow.head_block THEN follow.advanced_at
            ELSE LEAST(follow.advanced_at, follow.cursor_at)
        END AS as_of,
    GREATEST(30000, 3 * COALESCE(follow.tick_ms, network.block_ms)) AS patience_ms
   FROM network_follows follow
     LEFT JOIN networks network ON network.id = follow.network_id
  WHERE follow.cursor_block IS NOT NULL

table fx_rates
  currency text not null
  at timestamp with time zone not null
  per_usd numeric not null
  source text not null
  fetched_at timestamp with time zone not null
  recorded_at timestamp with time zone not null default now()
  constraint fx_rates_at_check CHECK ((mod(EXTRACT(epoch FROM at), (86400)::numeric) = (0)::numeric))
  constraint fx_rates_per_usd_check CHECK ((per_usd > (0)::numeric))
  constraint fx_rates_pkey PRIMARY KEY (currency, at)
  CREATE INDEX fx_rates_by_time ON public.fx_rates USING btree (at)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER keep_deleted AFTER DELETE ON fx_rates REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('currency, at, per_usd, source', 'currency, at', 'true')
  CREATE TRIGGER keep_updated AFTER UPDATE ON fx_rates REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('currency, at, per_usd, source', 'currency, at', 'true')
  CREATE TRIGGER note_inserted AFTER INSERT ON fx_rates FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON fx_rates FOR EACH STATEMENT EXECUTE FUNCTION note_revision()
  CREATE TRIGGER stamp BEFORE UPDATE ON fx_rates FOR EACH ROW WHEN (old.per_usd IS DISTINCT FROM new.per_usd OR old.source IS DISTINCT FROM new.source) EXECUTE FUNCTION past.stamp()

table idempotent_answers
  account_id uuid not null
  key text not null
  request_id uuid not null
  fingerprint bytea not null
  body text not null
  created_at timestamp with time zone not null default now()
  constraint idempotent_answers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint idempotent_answers_pkey PRIMARY KEY (account_id, key)

table identities
  issuer text not null
  subject text not null
  account_id uuid not null
  created_at timestamp with time zone not null default now()
  constraint identities_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint identities_pkey PRIMARY KEY (issuer, subject)
  CREATE INDEX identities_by_account ON public.identities USING btree (account_id)
  CREATE TRIGGER end_sessions AFTER INSERT OR DELETE ON identities FOR EACH ROW EXECUTE FUNCTION end_sessions_of_changed()
  CREATE TRIGGER end_sessions_of_relinked AFTER UPDATE ON identities FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION end_sessions_of_changed()

table import_uploads
  id uuid not null
  account_id uuid not null
  portfolio_id uuid not null
  body text not null
  sha256 bytea not null
  previewed jsonb
  expires_at timestamp with time zone not null
  constraint import_uploads_body_check CHECK ((octet_length(body) <= 3145728))
  constraint import_uploads_sha256_check CHECK ((octet_length(sha256) = 32))
  constraint import_uploads_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint import_uploads_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES portfolios(id) ON DELETE CASCADE
  constraint import_uploads_pkey PRIMARY KEY (id)
  constraint import_uploads_account_id_portfolio_id_sha256_key UNIQUE (account_id, portfolio_id, sha256)
  CREATE INDEX import_uploads_by_end ON public.import_uploads USING btree (expires_at)
  CREATE INDEX import_uploads_of_portfolio ON public.import_uploads USING btree (portfolio_id)

table incident_notices
  incident_id bigint not null
  receiver text not null
  state text not null
  sent_at timestamp with time zone
  tries integer not null
  next_try_at timestamp with time zone
  failure text
  constraint incident_notices_state_check CHECK ((state = ANY (ARRAY['firing'::text, 'resolved'::text])))
  constraint incident_notices_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id) ON DELETE CASCADE
  constraint incident_notices_pkey PRIMARY KEY (incident_id, receiver, state)
  grant delete, insert, select, update to ingest

table incident_silences
  id bigint not null generated always as identity
  rule text not null
  subject text
  until timestamp with time zone not null
  reason text not null
  created_by text not null
  created_at timestamp with time zone not null default now()
  constraint incident_silences_pkey PRIMARY KEY (id)
  grant delete, insert, select, update to ingest

table incidents
  id bigint not null generated always as identity
  rule text not null
  subject text not null
  severity text not null
  summary text not null
  since timestamp with time zone not null
  fired_at timestamp with time zone
  resolved_at timestamp with time zone
  acknowledged_at timestamp with time zone
  acknowledged_by text
  constraint incidents_check CHECK (((resolved_at IS NULL) OR (fired_at IS NOT NULL)))
  constraint incidents_severity_check CHECK ((severity = ANY (ARRAY['page'::text, 'ticket'::text])))
  constraint incidents_pkey PRIMARY KEY (id)
  CREATE INDEX incidents_by_end ON public.incidents USING btree (resolved_at) WHERE (resolved_at IS NOT NULL)
  CREATE UNIQUE INDEX incidents_open ON public.incidents USING btree (rule, subject) WHERE (resolved_at IS NULL)
  grant delete, insert, select, update to ingest

table instant_keys
  source text not null
  key text not null
  made_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  constraint instant_keys_pkey PRIMARY KEY (source)
  grant delete, insert, select, update to ingest

table issuer_records
  model text not null
  hash bytea not null
  payload jsonb not null
  uid text
  grant_id text
  consumed_at timestamp with time zone
  expires_at timestamp with time zone not null
  constraint issuer_records_hash_check CHECK ((octet_length(hash) = 32))
  constraint issuer_records_pkey PRIMARY KEY (model, hash)
  CREATE INDEX issuer_records_by_end ON public.issuer_records USING btree (expires_at)
  CREATE INDEX issuer_records_by_grant ON public.issuer_records USING btree (grant_id) WHERE (grant_id IS NOT NULL)
  CREATE INDEX issuer_records_by_subject ON public.issuer_records USING btree (((payload ->> 'accountId'::text)))
  CREATE INDEX issuer_records_by_uid ON public.issuer_records USING btree (uid) WHERE (uid IS NOT NULL)

table ledger_entries
  request_id uuid not null
  kind text not null
  account_id uuid not null
  n integer not null
  credits bigint not null
  endpoint text not null
  price_input text
  at timestamp with time zone not null default now()
  constraint ledger_entries_kind_check CHECK ((kind = ANY (ARRAY['charge'::text, 'refund'::text, 'adjust'::text])))
  constraint ledger_entries_pkey PRIMARY KEY (request_id, kind)

table lot_uses
  fold_id bigint not null
  day timestamp with time zone not null
  acquired jsonb not null
  disposed jsonb not null
  constraint lot_uses_fold_id_fkey FOREIGN KEY (fold_id) REFERENCES folds(id) ON DELETE CASCADE
  constraint lot_uses_pkey PRIMARY KEY (fold_id, day)
  grant select to api
  grant delete, insert, select, update to ingest

table manual_transactions
  id uuid not null
  portfolio_id uuid not null
  at timestamp with time zone not null
  coin_id text not null
  count numeric not null
  price numeric
  currency text not null
  price_usd numeric
  note text
  source text not null
  fetched_at timestamp with time zone not null
  derived boolean not null default false
  constraint manual_transactions_count_check CHECK ((count <> (0)::numeric))
  constraint manual_transactions_price_check CHECK ((price >= (0)::numeric))
  constraint manual_transactions_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES portfolios(id) ON DELETE CASCADE
  constraint manual_transactions_pkey PRIMARY KEY (id)
  CREATE INDEX manual_transactions_newest ON public.manual_transactions USING btree (portfolio_id, at DESC, id DESC)
  CREATE INDEX manual_transactions_underived ON public.manual_transactions USING btree (portfolio_id) WHERE (NOT derived)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER days_deleted AFTER DELETE ON manual_transactions REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_transaction_days('portfolio_id::text', 'array['''', coin_id]')
  CREATE TRIGGER days_inserted AFTER INSERT ON manual_transactions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_transaction_days('portfolio_id::text', 'array['''', coin_id]')
  CREATE TRIGGER days_updated AFTER UPDATE OF at, coin_id ON manual_transactions FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION count_transaction_days('portfolio_id::text', 'array['''', coin_id]')

table market_totals
  at timestamp with time zone not null
  market_cap_usd numeric not null
  volume_24h_usd numeric not null
  btc_dominance numeric not null
  source text not null
  fetched_at timestamp with time zone not null
  market_cap_change numeric
  volume_change numeric
  btc_dominance_change numeric
  constraint market_totals_pkey PRIMARY KEY (at)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON market_totals FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table movement_labels
  wallet_id bigint not null
  network_id text not null
  tx_hash text not null
  seq integer not null
  role text not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint movement_labels_role_check CHECK ((role = ANY (ARRAY['transfer'::text, 'trade'::text, 'wrap'::text, 'fee'::text, 'airdrop'::text, 'reward'::text, 'interest'::text, 'rebase'::text, 'spam'::text])))
  constraint movement_labels_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint movement_labels_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
  constraint movement_labels_pkey PRIMARY KEY (wallet_id, network_id, tx_hash, seq)
  grant select to ingest

table movements
  wallet_id bigint not null
  network_id text not null
  at timestamp with time zone not null
  block_number bigint not null
  block_hash text not null
  tx_index integer not null
  tx_hash text not null
  seq integer not null
  role text not null
  coin_id text not null
  raw numeric(79,0) not null
  decimals smallint not null
  counterparty text
  price_usd numeric
  price_at timestamp with time zone
  price_source text
  source text not null
  fetched_at timestamp with time zone not null
  constraint movements_role_check CHECK ((role = ANY (ARRAY['transfer'::text, 'trade'::text, 'wrap'::text, 'fee'::text, 'airdrop'::text, 'reward'::text, 'interest'::text, 'rebase'::text, 'opening'::text, 'spam'::text])))
  constraint movements_pkey PRIMARY KEY (wallet_id, network_id, at, tx_index, tx_hash, seq)
  partition by HASH (wallet_id)
  CREATE INDEX movements_by_block ON ONLY public.movements USING btree (network_id, block_number)
  grant select to api
  grant delete, insert, select, update to ingest

table network_follows
  with fillfactor=50
  network_id text not null
  cursor_block bigint
  cursor_hash text
  cursor_at timestamp with time zone
  confirmed_block bigint
  head_block bigint
  advanced_at timestamp with time zone
  epoch bigint not null default 0
  mode text not null
  method text
  reason text
  tick_ms integer
  method_reason text
  node text
  held_until timestamp with time zone
  constraint network_follows_method CHECK ((method = ANY (ARRAY['receipts'::text, 'logs'::text, 'ranges'::text, 'raw'::text])))
  constraint network_follows_mode CHECK ((mode = ANY (ARRAY['off'::text, 'blocks'::text, 'ranges'::text])))
  constraint network_follows_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint network_follows_pkey PRIMARY KEY (network_id)
  grant select to api
  grant delete, insert, select, update to ingest

table network_rewinds
  network_id text not null
  at timestamp with time zone not null default clock_timestamp()
  block_number bigint not null
  blocks integer not null
  constraint network_rewinds_pkey PRIMARY KEY (network_id, at)
  grant delete, insert, select, update to ingest

table networks
  id text not null
  blockchain text not null
  name text not null
  icon text not null
  chain_id bigint
  coin_id text not null
  symbol text not null
  decimals smallint not null
  explorer_url text not null
  reorg_depth integer not null
  position integer not null
  active boolean not null default false
  wrapped_address text
  kind text not null
  block_ms integer
  head_tag text not null default 'latest'::text
  unproven text[] not null default '{}'::text[]
  entry_points text[] not null default '{}'::text[]
  in_all boolean not null default false
  native_token text
  constraint networks_head_tag CHECK ((head_tag = ANY (ARRAY['latest'::text, 'safe'::text])))
  constraint networks_kind_check CHECK ((kind = ANY (ARRAY['evm'::text, 'bitcoin'::text, 'solana'::text, 'utxo'::text, 'tron'::text, 'xrpl'::text, 'cosmos'::text, 'sui'::text, 'ton'::text, 'cardano'::text])))
  constraint networks_unproven CHECK ((unproven <@ '{gas,bloom,logs}'::text[]))
  constraint networks_pkey PRIMARY KEY (id)
  constraint networks_blockchain_key UNIQUE (blockchain)
  constraint networks_chain_id_key UNIQUE (chain_id)
  grant select to api
  grant select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON networks FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table news_anchors
  list text not null
  rank integer not null
  published_at timestamp with time zone not null
  id text not null
  constraint news_anchors_list_check CHECK ((list = ANY (ARRAY['latest'::text, 'bullish'::text, 'bearish'::text, 'handpicked'::text])))
  constraint news_anchors_pkey PRIMARY KEY (list, rank)
  CREATE INDEX news_anchors_by_key ON public.news_anchors USING btree (list, published_at, id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON news_anchors FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table news_items
  id text not null
  source text not null
  link text not null
  title text not null
  summary text
  image_url text
  image_width integer
  keywords text[] not null default '{}'::text[]
  has_content boolean not null
  reactions jsonb not null default '{}'::jsonb
  coin_ids text[] not null default '{}'::text[]
  sentiment text not null
  sentiment_score double precision not null
  analysis text not null
  picked_at timestamp with time zone
  published_at timestamp with time zone not null
  fetched_at timestamp with time zone not null
  constraint news_items_id_check CHECK ((id ~ '^[0-9a-f]{64}$'::text))
  constraint news_items_sentiment_check CHECK ((sentiment = ANY (ARRAY['bullish'::text, 'bearish'::text, 'neutral'::text])))
  constraint news_items_source_fkey FOREIGN KEY (source) REFERENCES news_sources(source)
  constraint news_items_pkey PRIMARY KEY (id)
  CREATE INDEX news_items_bearish ON public.news_items USING btree (published_at, id) WHERE (sentiment = 'bearish'::text)
  CREATE INDEX news_items_bullish ON public.news_items USING btree (published_at, id) WHERE (sentiment = 'bullish'::text)
  CREATE INDEX news_items_handpicked ON public.news_items USING btree (published_at, id) WHERE (picked_at IS NOT NULL)
  CREATE INDEX news_items_latest ON public.news_items USING btree (published_at, id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON news_items FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table news_sources
  source text not null
  name text not null
  web_url text not null
  feed_url text not null
  image_url text
  etag text
  last_modified text
  created_at timestamp with time zone not null default now()
  fetched_at timestamp with time zone not null
  constraint news_sources_pkey PRIMARY KEY (source)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON news_sources FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table news_trending
  rank integer not null
  news_id text not null
  score double precision not null
  fetched_at timestamp with time zone not null
  constraint news_trending_news_id_fkey FOREIGN KEY (news_id) REFERENCES news_items(id) ON DELETE CASCADE
  constraint news_trending_pkey PRIMARY KEY (rank)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON news_trending FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table nft_assets
  network_id text not null
  address text not null
  token_id numeric(78,0) not null
  standard text not null
  name text
  image_url text
  url text
  traits jsonb not null default '[]'::jsonb
  rarity_score numeric
  rarity_rank integer
  list_price numeric
  list_source text
  listed_until timestamp with time zone
  position integer
  list_position integer
  metadata_at timestamp with time zone
  source text not null
  fetched_at timestamp with time zone not null
  constraint nft_assets_standard_check CHECK ((standard = ANY (ARRAY['erc721'::text, 'erc1155'::text, 'metaplex'::text, 'core'::text, 'compressed'::text]))) NOT VALID
  constraint nft_assets_pkey PRIMARY KEY (network_id, address, token_id)
  CREATE INDEX nft_assets_by_list_position ON public.nft_assets USING btree (network_id, address, list_position) WHERE (list_position IS NOT NULL)
  CREATE INDEX nft_assets_by_position ON public.nft_assets USING btree (network_id, address, "position")
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON nft_assets FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table nft_collections
  network_id text not null
  address text not null
  standard text
  slug text
  name text not null
  description text not null default ''::text
  image_url text
  banner_url text
  category text
  urls jsonb not null default '[]'::jsonb
  verified boolean
  disabled boolean not null default false
  created_at timestamp with time zone
  creator_fee_bps integer
  total_supply numeric
  coin_id text not null
  currencies jsonb not null default '{}'::jsonb
  moved boolean not null default false
  trending_rank integer
  category_rank integer
  assets_count integer not null default 0
  listed_count integer
  assets_next text
  described_at timestamp with time zone
  gecko_at timestamp with time zone
  assets_at timestamp with time zone
  market_at timestamp with time zone
  failure text
  source text not null
  fetched_at timestamp with time zone not null
  constraint nft_collections_standard_check CHECK ((standard = ANY (ARRAY['erc721'::text, 'erc1155'::text])))
  constraint nft_collections_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint nft_collections_pkey PRIMARY KEY (network_id, address)
  CREATE INDEX nft_collections_by_address ON public.nft_collections USING btree (address)
  CREATE INDEX nft_collections_by_trend ON public.nft_collections USING btree (trending_rank) WHERE (trending_rank IS NOT NULL)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON nft_collections FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table nft_floor_days
  network_id text not null
  address text not null
  day date not null
  floor_price numeric not null
  coin_id text not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint nft_floor_days_pkey PRIMARY KEY (network_id, address, day)
  grant select to api
  grant delete, insert, select, update to ingest

table nft_gecko_records
  network_id text not null
  address text not null
  gecko_id text not null
  rank integer
  floor_price numeric
  floor_price_change_1d numeric
  floor_price_change_7d numeric
  market_cap numeric
  market_cap_change_1d numeric
  volume_1d numeric
  volume_change_1d numeric
  owners_count numeric
  owners_change_1d numeric
  total_supply numeric
  sales_1d numeric
  average_price_1d numeric
  source text not null
  fetched_at timestamp with time zone not null
  constraint nft_gecko_records_pkey PRIMARY KEY (network_id, address)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON nft_gecko_records FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table nft_holding_reads
  network_id text not null
  owner text not null
  read_at timestamp with time zone
  tried_at timestamp with time zone not null
  failure text
  source text not null
  fetched_at timestamp with time zone not null
  constraint nft_holding_reads_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint nft_holding_reads_pkey PRIMARY KEY (network_id, owner)
  grant select to api
  grant delete, insert, select, update to ingest

table nft_holdings
  network_id text not null
  owner text not null
  address text not null
  token_id numeric(78,0) not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint nft_holdings_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint nft_holdings_pkey PRIMARY KEY (network_id, owner, token_id)
  grant select to api
  grant delete, insert, select, update to ingest

table nft_listings
  network_id text not null
  address text not null
  order_hash text not null
  token_id numeric(78,0) not null
  seller text not null
  quantity numeric(78,0) not null
  amount numeric not null
  payment_coin_id text
  price numeric
  ends_at timestamp with time zone not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint nft_listings_pkey PRIMARY KEY (network_id, address, order_hash)
  CREATE INDEX nft_listings_by_token ON public.nft_listings USING btree (network_id, address, token_id, price)
  grant select to api
  grant delete, insert, select, update to ingest

table nft_points
  network_id text not null
  address text not null
  at timestamp with time zone not null
  floor_price numeric
  average_price numeric
  volume_1d numeric
  volume_7d numeric
  volume_30d numeric
  volume_total numeric
  average_price_1d numeric
  average_price_7d numeric
  average_price_30d numeric
  volume_change_1d numeric
  volume_change_7d numeric
  volume_change_30d numeric
  sales_1d bigint
  sales_7d bigint
  sales_30d bigint
  sales_total bigint
  owners_count bigint
  sales_in_profit numeric
  source text not null
  fetched_at timestamp with time zone not null
  constraint nft_points_pkey PRIMARY KEY (network_id, address, at)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON nft_points FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table nft_sales
  network_id text not null
  address text not null
  tx_hash text not null
  order_hash text not null
  token_id numeric(78,0) not null
  at timestamp with time zone not null
  seller text not null
  buyer text not null
  quantity numeric(78,0) not null
  amount numeric not null
  payment_coin_id text
  price numeric
  price_usd numeric
  source text not null
  fetched_at timestamp with time zone not null
  constraint nft_sales_pkey PRIMARY KEY (network_id, address, tx_hash, order_hash, token_id)
  CREATE INDEX nft_sales_by_time ON public.nft_sales USING btree (network_id, address, at DESC)
  CREATE INDEX nft_sales_by_token ON public.nft_sales USING btree (network_id, address, token_id, at DESC)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON nft_sales FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table nft_traits
  network_id text not null
  address text not null
  key text not null
  value text not null
  kind text not null
  token_count integer not null
  on_sale_count integer not null
  floor_ask_price numeric
  created_at timestamp with time zone not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint nft_traits_pkey PRIMARY KEY (network_id, address, key, value)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON nft_traits FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table open_lots
  fold_id bigint
  coin_id text
  position integer
  acquired_at timestamp with time zone
  quantity numeric
  cost_usd numeric
  acquired_book_id bigint
  acquired_tx_id text
  grant select to ingest
  as
 SELECT f.id AS fold_id,
    c.coin_id,
    COALESCE(l."position", 1::bigint)::integer AS "position",
    '1970-01-01 00:00:00+00'::timestamp with time zone + ((l.lot ->> 0)::bigint)::double precision * '00:00:00.001'::interval AS acquired_at,
        CASE
            WHEN l.lot IS NULL THEN c.quantity
            ELSE (l.lot ->> 2)::numeric
        END AS quantity,
        CASE
            WHEN l.lot IS NULL THEN c.cost_usd
            ELSE (l.lot ->> 3)::numeric
        END AS cost_usd,
    a.book_id AS acquired_book_id,
    a.tx_id AS acquired_tx_id
   FROM folds f
     CROSS JOIN LATERAL fold_coins(f.id) held(coin_id)
     CROSS JOIN LATERAL ( SELECT s.coin_id,
            s.quantity,
            s.cost_usd,
            s.lots_usd
           FROM coin_folds s
          WHERE s.fold_id = f.id AND s.coin_id = held.coin_id
          ORDER BY s.month DESC
         LIMIT 1) c
     LEFT JOIN LATERAL jsonb_array_elements(c.lots_usd) WITH ORDINALITY l(lot, "position") ON true
     LEFT JOIN acquisitions a ON a.fold_id = f.id AND a.seq = ((l.lot ->> 1)::integer) AND a.acquired_at = ('1970-01-01 00:00:00+00'::timestamp with time zone + ((l.lot ->> 0)::bigint)::double precision * '00:00:00.001'::interval)
  WHERE l.lot IS NOT NULL OR c.lots_usd IS NULL AND c.quantity <> 0::numeric

table operator_actions
  id bigint not null generated always as identity
  at timestamp with time zone not null default clock_timestamp()
  operator text not null
  action text not null
  subject text not null
  constraint operator_actions_pkey PRIMARY KEY (id)
  CREATE INDEX operator_actions_by_time ON public.operator_actions USING btree (at DESC, id DESC)

table operators
  issuer text not null
  subject text not null
  created_at timestamp with time zone not null default now()
  constraint operators_pkey PRIMARY KEY (issuer, subject)
  CREATE TRIGGER end_sessions AFTER INSERT OR DELETE OR UPDATE ON operators FOR EACH ROW EXECUTE FUNCTION end_sessions_of_changed()

table outbox
  id bigint not null generated always as identity
  workflow text not null
  workflow_id text not null
  input jsonb not null
  created_at timestamp with time zone not null default now()
  dispatched_at timestamp with time zone
  signal text
  traceparent text
  account_id uuid
  constraint outbox_pkey PRIMARY KEY (id)
  CREATE INDEX outbox_by_workflow ON public.outbox USING btree (workflow_id, created_at)
  CREATE INDEX outbox_pending ON public.outbox USING btree (id) WHERE (dispatched_at IS NULL)
  grant delete, insert, select, update to ingest

table page_sessions
  hash bytea not null
  issuer text not null
  subject text not null
  expires_at timestamp with time zone not null
  constraint page_sessions_pkey PRIMARY KEY (hash)
  CREATE INDEX page_sessions_by_end ON public.page_sessions USING btree (expires_at)
  CREATE INDEX page_sessions_by_subject ON public.page_sessions USING btree (issuer, subject)

table payment_answers
  payment_id uuid not null
  status_code integer not null
  content_type text not null
  headers jsonb not null
  body bytea not null
  expires_at timestamp with time zone not null
  constraint payment_answers_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id) ON DELETE CASCADE
  constraint payment_answers_pkey PRIMARY KEY (payment_id)
  CREATE INDEX payment_answers_by_expiry ON public.payment_answers USING btree (expires_at)

table payment_notes
  id bigint not null generated always as identity
  payment_id uuid not null
  at timestamp with time zone not null default clock_timestamp()
  operator text not null
  note text not null
  constraint payment_notes_note_check CHECK (((length(note) >= 1) AND (length(note) <= 500)))
  constraint payment_notes_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id) ON DELETE CASCADE
  constraint payment_notes_pkey PRIMARY KEY (id)
  CREATE INDEX payment_notes_by_payment ON public.payment_notes USING btree (payment_id, id)

table payment_owners
  unlogged
  with fillfactor=50
  id uuid not null
  alive_until timestamp with time zone not null
  constraint payment_owners_pkey PRIMARY KEY (id)

table payments
  id uuid not null default uuidv7()
  chain_id integer not null
  asset text not null
  payer text not null
  nonce text not null
  amount bigint not null
  resource_key bytea not null
  authorization_hash bytea not null
  valid_before timestamp with time zone not null
  state text not null default 'claimed'::text
  claim uuid not null
  owner uuid
  try_after timestamp with time zone not null
  settles integer not null default 0
  nonce_used boolean not null default false
  request text
  transaction text
  extra text
  last_error text
  claimed_at timestamp with time zone not null default clock_timestamp()
  settled_at timestamp with time zone
  unproven_at timestamp with time zone
  block_number bigint
  pay_to text
  constraint payments_amount_check CHECK ((amount > 0))
  constraint payments_asset_check CHECK ((asset ~ '^0x[0-9a-f]{40}$'::text))
  constraint payments_authorization_hash_check CHECK ((octet_length(authorization_hash) = 32))
  constraint payments_check2 CHECK (((state = ANY (ARRAY['settling'::text, 'unknown'::text])) = (request IS NOT NULL)))
  constraint payments_nonce_check CHECK ((nonce ~ '^0x[0-9a-f]{64}$'::text))
  constraint payments_payer_check CHECK ((payer ~ '^0x[0-9a-f]{40}$'::text))
  constraint payments_proof_check CHECK (((state = ANY (ARRAY['settled'::text, 'lost'::text])) = (transaction IS NOT NULL)))
  constraint payments_resource_key_check CHECK ((octet_length(resource_key) = 32))
  constraint payments_settled_at_check CHECK (((state = ANY (ARRAY['settled'::text, 'lost'::text])) = (settled_at IS NOT NULL)))
  constraint payments_state_check CHECK ((state = ANY (ARRAY['claimed'::text, 'settling'::text, 'settled'::text, 'failed'::text, 'unknown'::text, 'lost'::text])))
  constraint payments_transaction_check CHECK ((transaction ~ '^0x[0-9a-f]{64}$'::text))
  constraint payments_pkey PRIMARY KEY (id)
  constraint payments_chain_id_asset_payer_nonce_key UNIQUE (chain_id, asset, payer, nonce)
  CREATE INDEX payments_by_block ON public.payments USING btree (block_number) WHERE (block_number IS NOT NULL)
  CREATE UNIQUE INDEX payments_by_transaction ON public.payments USING btree (chain_id, transaction) WHERE (transaction IS NOT NULL)
  CREATE INDEX payments_lost ON public.payments USING btree (settled_at) WHERE (state = 'lost'::text)
  CREATE INDEX payments_open ON public.payments USING btree (try_after) WHERE (state = ANY (ARRAY['claimed'::text, 'settling'::text, 'unknown'::text]))
  CREATE INDEX payments_unproven ON public.payments USING btree (payer, unproven_at) WHERE (unproven_at IS NOT NULL)

table pl_days
  book_id bigint not null
  at timestamp with time zone not null
  value_usd numeric not null
  value_btc numeric not null
  value_eth numeric not null
  flow_usd numeric not null
  flow_btc numeric not null
  flow_eth numeric not null
  stale boolean not null
  constraint pl_days_pkey PRIMARY KEY (book_id, at)
  grant select to api
  grant delete, insert, select, update to ingest

table pl_runs
  book_id bigint not null
  began_with pg_snapshot not null
  noted_by xid8
  constraint pl_runs_book_id_fkey FOREIGN KEY (book_id) REFERENCES books(id) ON DELETE CASCADE
  CREATE INDEX pl_runs_book ON public.pl_runs USING btree (book_id)
  grant delete, insert, select, update to ingest

table pl_states
  book_id bigint not null
  dirty_from timestamp with time zone
  repriced_from timestamp with time zone
  computed_to timestamp with time zone
  revision bigint not null default 0
  repriced_to timestamp with time zone not null default '-infinity'::timestamp with time zone
  legs_changed boolean not null default false
  constraint pl_states_book_id_fkey FOREIGN KEY (book_id) REFERENCES books(id) ON DELETE CASCADE
  constraint pl_states_pkey PRIMARY KEY (book_id)
  CREATE INDEX pl_states_changed ON public.pl_states USING btree (book_id) WHERE legs_changed
  grant select to api
  grant delete, insert, select, update to ingest

table plans
  id text not null
  credits_per_month bigint not null
  requests_per_second integer not null
  paid boolean not null
  constraint plans_credits_per_month_check CHECK ((credits_per_month >= 0))
  constraint plans_requests_per_second_check CHECK (((requests_per_second >= 1) AND (requests_per_second <= 100000)))
  constraint plans_pkey PRIMARY KEY (id)

table portfolio_books
  portfolio_id uuid
  account_id uuid
  cost_method text
  book_id bigint
  grant select to api
  grant select to ingest
  as
 SELECT p.id AS portfolio_id,
    p.account_id,
    p.cost_method,
    b.id AS book_id
   FROM portfolios p
     JOIN books b ON b.portfolio_id = p.id
UNION ALL
 SELECT p.id AS portfolio_id,
    p.account_id,
    p.cost_method,
    b.id AS book_id
   FROM portfolios p
     JOIN books b ON b.connection_id = p.id
UNION ALL
 SELECT p.id AS portfolio_id,
    p.account_id,
    p.cost_method,
    b.id AS book_id
   FROM portfolios p
     JOIN wallets w ON w.address = p.address
     JOIN books b ON b.wallet_id = w.id AND b.network_id = p.network_id

table portfolio_shares
  id uuid not null default uuidv7()
  portfolio_id uuid not null
  token_hash bytea not null
  passcode_hash bytea
  wrong_passcodes integer not null default 0
  locked_until timestamp with time zone
  created_at timestamp with time zone not null default now()
  revoked_at timestamp with time zone
  constraint portfolio_shares_passcode_hash_check CHECK ((octet_length(passcode_hash) = 32))
  constraint portfolio_shares_token_hash_check CHECK ((octet_length(token_hash) = 32))
  constraint portfolio_shares_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES portfolios(id) ON DELETE CASCADE
  constraint portfolio_shares_pkey PRIMARY KEY (id)
  constraint portfolio_shares_token_hash_key UNIQUE (token_hash)
  CREATE INDEX portfolio_shares_of_portfolio ON public.portfolio_shares USING btree (portfolio_id)

table portfolio_snapshots
  portfolio_id uuid not null
  at timestamp with time zone not null
  coin_ids text[] not null
  quantities numeric[] not null
  prices_usd numeric[] not null
  source text not null
  fetched_at timestamp with time zone not null
  recorded_at timestamp with time zone not null default now()
  constraint portfolio_snapshots_check CHECK (((cardinality(coin_ids) = cardinality(quantities)) AND (cardinality(coin_ids) = cardinality(prices_usd))))
  constraint portfolio_snapshots_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES portfolios(id) ON DELETE CASCADE
  constraint portfolio_snapshots_pkey PRIMARY KEY (portfolio_id, at)
  grant select to api
  grant insert, select to ingest
  CREATE TRIGGER hold_coins AFTER INSERT ON portfolio_snapshots REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.hold_coins('select unnest(coin_ids) from new_rows')
  CREATE TRIGGER keep_deleted AFTER DELETE ON portfolio_snapshots REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('portfolio_id, at, coin_ids, quantities, prices_usd', 'portfolio_id, at', 'true')
  CREATE TRIGGER keep_updated AFTER UPDATE ON portfolio_snapshots REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('portfolio_id, at, coin_ids, quantities, prices_usd', 'portfolio_id, at', 'true')
  CREATE TRIGGER note_inserted AFTER INSERT ON portfolio_snapshots FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER stamp BEFORE UPDATE ON portfolio_snapshots FOR EACH ROW WHEN (old.coin_ids IS DISTINCT FROM new.coin_ids OR old.quantities IS DISTINCT FROM new.quantities OR old.prices_usd IS DISTINCT FROM new.prices_usd) EXECUTE FUNCTION past.stamp()

table portfolios
  id uuid not null
  account_id uuid
  kind text not null
  name text
  address text
  network_id text
  cost_method text not null default 'average'::text
  created_at timestamp with time zone not null default now()
  recorded_at timestamp with time zone not null default now()
  constraint portfolios_check CHECK ((((kind = 'wallet'::text) = (address IS NOT NULL)) AND ((kind = 'wallet'::text) = (network_id IS NOT NULL))))
  constraint portfolios_cost_method_check CHECK ((cost_method = ANY (ARRAY['average'::text, 'fifo'::text, 'lifo'::text, 'hifo'::text])))
  constraint portfolios_kind_check CHECK ((kind = ANY (ARRAY['wallet'::text, 'exchange'::text, 'manual'::text])))
  constraint portfolios_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint portfolios_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint portfolios_pkey PRIMARY KEY (id)
  CREATE INDEX portfolios_of_account ON public.portfolios USING btree (account_id, created_at, id)
  CREATE INDEX portfolios_of_wallet ON public.portfolios USING btree (address, network_id)
  CREATE UNIQUE INDEX portfolios_once ON public.portfolios USING btree (account_id, address, network_id) WHERE (kind = 'wallet'::text)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER keep_deleted AFTER DELETE ON portfolios REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('id, account_id, kind, name, address, network_id, cost_method, created_at', 'id', 'true')
  CREATE TRIGGER keep_updated AFTER UPDATE ON portfolios REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('id, account_id, kind, name, address, network_id, cost_method, created_at', 'id', 'true')
  CREATE TRIGGER note_inserted AFTER INSERT ON portfolios FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER portfolio_alerts_deleted AFTER DELETE ON portfolios FOR EACH ROW EXECUTE FUNCTION forget_portfolio_alerts()
  CREATE TRIGGER stamp BEFORE UPDATE ON portfolios FOR EACH ROW WHEN (old.account_id IS DISTINCT FROM new.account_id OR old.kind IS DISTINCT FROM new.kind OR old.name IS DISTINCT FROM new.name OR old.address IS DISTINCT FROM new.address OR old.network_id IS DISTINCT FROM new.network_id OR old.cost_method IS DISTINCT FROM new.cost_method OR old.created_at IS DISTINCT FROM new.created_at) EXECUTE FUNCTION past.stamp()

table prediction_books
  market_id integer not null
  outcome smallint not null
  bids jsonb not null
  asks jsonb not null
  tick_size numeric
  at timestamp with time zone not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_books_market_id_fkey FOREIGN KEY (market_id) REFERENCES prediction_markets(id)
  constraint prediction_books_pkey PRIMARY KEY (market_id, outcome)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_books FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_counts
  kind text not null
  venue text not null
  status text not null
  category text not null
  items integer not null
  open_interest_usd numeric not null
  constraint prediction_counts_kind_check CHECK ((kind = ANY (ARRAY['market'::text, 'event'::text])))
  constraint prediction_counts_pkey PRIMARY KEY (kind, venue, status, category)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_counts FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_cursors
  name text not null
  cursor text
  at timestamp with time zone not null
  constraint prediction_cursors_pkey PRIMARY KEY (name)
  grant delete, insert, select, update to ingest

table prediction_event_matches
  polymarket_id integer not null
  kalshi_id integer not null
  score numeric not null
  markets integer not null
  method text not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_event_matches_score_check CHECK (((score >= (0)::numeric) AND (score <= (1)::numeric)))
  constraint prediction_event_matches_kalshi_id_fkey FOREIGN KEY (kalshi_id) REFERENCES prediction_events(id)
  constraint prediction_event_matches_polymarket_id_fkey FOREIGN KEY (polymarket_id) REFERENCES prediction_events(id)
  constraint prediction_event_matches_pkey PRIMARY KEY (polymarket_id, kalshi_id)
  CREATE INDEX prediction_event_matches_by_kalshi ON public.prediction_event_matches USING btree (kalshi_id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_event_matches FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_events
  with toast_tuple_target=256
  id integer not null generated always as identity
  slug text not null
  venue text not null
  venue_event_id text not null
  title text not null
  url text not null
  description text
  image_url text
  category text
  tags text[] not null default '{}'::text[]
  status text not null
  mutually_exclusive boolean not null
  resolution_source text
  markets_count integer not null default 0
  top_market_id integer
  volume_24h_usd numeric not null default 0
  volume_total_usd numeric not null default 0
  liquidity_usd numeric not null default 0
  open_interest_usd numeric not null default 0
  start_at timestamp with time zone
  end_at timestamp with time zone
  created_at timestamp with time zone not null
  updated_at timestamp with time zone not null
  search tsvector not null default (setweight(to_tsvector('english'::regconfig, title), 'A'::"char") || setweight(to_tsvector('english'::regconfig, COALESCE(category, ''::text)), 'C'::"char"))
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_events_status_check CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text, 'resolved'::text, 'cancelled'::text])))
  constraint prediction_events_venue_check CHECK ((venue = ANY (ARRAY['polymarket'::text, 'kalshi'::text, 'limitless'::text, 'predictit'::text, 'manifold'::text]))) NOT VALID
  constraint prediction_events_pkey PRIMARY KEY (id)
  constraint prediction_events_slug_key UNIQUE (slug)
  constraint prediction_events_venue_venue_event_id_key UNIQUE (venue, venue_event_id)
  CREATE INDEX prediction_events_by_category ON public.prediction_events USING btree (lower(category), status, venue)
  CREATE INDEX prediction_events_by_search ON public.prediction_events USING gin (search)
  CREATE INDEX prediction_events_by_tag ON public.prediction_events USING gin (tags)
  CREATE INDEX prediction_events_created ON public.prediction_events USING btree (status, created_at, id)
  CREATE INDEX prediction_events_end ON public.prediction_events USING btree (status, COALESCE(end_at, '-infinity'::timestamp with time zone), id)
  CREATE INDEX prediction_events_liquidity ON public.prediction_events USING btree (status, liquidity_usd, id)
  CREATE INDEX prediction_events_volume_24h ON public.prediction_events USING btree (status, volume_24h_usd, id)
  CREATE INDEX prediction_events_volume_total ON public.prediction_events USING btree (status, volume_total_usd, id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_all_labels AFTER TRUNCATE ON prediction_events FOR EACH STATEMENT EXECUTE FUNCTION note_revision('labels')
  CREATE TRIGGER note_changed_labels AFTER UPDATE ON prediction_events FOR EACH ROW WHEN (old.search IS DISTINCT FROM new.search OR old.status IS DISTINCT FROM new.status OR old.venue IS DISTINCT FROM new.venue OR old.category IS DISTINCT FROM new.category OR old.tags IS DISTINCT FROM new.tags) EXECUTE FUNCTION note_revision('labels')
  CREATE TRIGGER note_labels AFTER INSERT OR DELETE ON prediction_events FOR EACH ROW EXECUTE FUNCTION note_revision('labels')
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_events FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_failures
  market_id integer not null
  part text not null
  failure text not null
  failed_at timestamp with time zone not null
  constraint prediction_failures_part_check CHECK ((part = ANY (ARRAY['trades'::text, 'details'::text])))
  constraint prediction_failures_market_id_fkey FOREIGN KEY (market_id) REFERENCES prediction_markets(id)
  constraint prediction_failures_pkey PRIMARY KEY (market_id, part)
  grant delete, insert, select, update to ingest

table prediction_holders
  market_id integer not null
  outcome smallint not null
  rank integer not null
  trader_id integer not null
  shares numeric not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_holders_market_id_fkey FOREIGN KEY (market_id) REFERENCES prediction_markets(id)
  constraint prediction_holders_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES prediction_traders(id)
  constraint prediction_holders_pkey PRIMARY KEY (market_id, outcome, rank)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_holders FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_leaders
  period text not null
  category text not null
  trader_id integer not null
  pnl_usd numeric not null
  volume_usd numeric not null
  roi numeric not null
  win_rate numeric not null
  trades integer not null
  markets_traded integer not null
  rank_pnl integer not null
  rank_volume integer not null
  rank_roi integer not null
  rank_win_rate integer not null
  rank_trades integer not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_leaders_period_check CHECK ((period = ANY (ARRAY['24h'::text, '1w'::text, '1m'::text, 'all'::text])))
  constraint prediction_leaders_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES prediction_traders(id)
  constraint prediction_leaders_pkey PRIMARY KEY (period, category, trader_id)
  CREATE INDEX prediction_leaders_pnl ON public.prediction_leaders USING btree (period, category, rank_pnl)
  CREATE INDEX prediction_leaders_roi ON public.prediction_leaders USING btree (period, category, rank_roi)
  CREATE INDEX prediction_leaders_trades ON public.prediction_leaders USING btree (period, category, rank_trades)
  CREATE INDEX prediction_leaders_volume ON public.prediction_leaders USING btree (period, category, rank_volume)
  CREATE INDEX prediction_leaders_win_rate ON public.prediction_leaders USING btree (period, category, rank_win_rate)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_leaders FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_markets
  with toast_tuple_target=256, autovacuum_vacuum_scale_factor=0.02
  id integer not null generated always as identity
  slug text not null
  venue text not null
  venue_market_id text not null
  condition_id text
  event_id integer
  question text not null
  label text
  url text not null
  description text
  image_url text
  category text
  tags text[] not null default '{}'::text[]
  status text not null
  resolution_source text
  strike_type text
  floor_strike numeric
  cap_strike numeric
  tick_size numeric
  last_trade_price numeric
  best_bid numeric
  best_ask numeric
  price_change_1h numeric
  price_change_24h numeric
  price_change_7d numeric
  volume_24h_usd numeric not null default 0
  volume_7d_usd numeric not null default 0
  volume_total_usd numeric not null default 0
  liquidity_usd numeric not null default 0
  open_interest_usd numeric not null default 0
  traders_count integer
  start_at timestamp with time zone
  end_at timestamp with time zone
  resolved_at timestamp with time zone
  created_at timestamp with time zone not null
  updated_at timestamp with time zone not null
  search tsvector not null default ((setweight(to_tsvector('english'::regconfig, question), 'A'::"char") || setweight(to_tsvector('english'::regconfig, COALESCE(label, ''::text)), 'B'::"char")) || setweight(to_tsvector('english'::regconfig, COALESCE(category, ''::text)), 'C'::"char"))
  source text not null
  fetched_at timestamp with time zone not null
  notional_24h_usd numeric
  notional_total_usd numeric
  constraint prediction_markets_status_check CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text, 'resolved'::text, 'cancelled'::text])))
  constraint prediction_markets_venue_check CHECK ((venue = ANY (ARRAY['polymarket'::text, 'kalshi'::text, 'limitless'::text, 'predictit'::text, 'manifold'::text]))) NOT VALID
  constraint prediction_markets_event_id_fkey FOREIGN KEY (event_id) REFERENCES prediction_events(id)
  constraint prediction_markets_pkey PRIMARY KEY (id)
  constraint prediction_markets_slug_key UNIQUE (slug)
  constraint prediction_markets_venue_venue_market_id_key UNIQUE (venue, venue_market_id)
  CREATE INDEX prediction_markets_all_change ON public.prediction_markets USING btree (COALESCE(price_change_24h, '-Infinity'::numeric), id) INCLUDE (venue, status, volume_24h_usd, liquidity_usd, end_at, price_change_24h)
  CREATE INDEX prediction_markets_all_created ON public.prediction_markets USING btree (created_at, id) INCLUDE (venue, status, volume_24h_usd, liquidity_usd, end_at, price_change_24h)
  CREATE INDEX prediction_markets_all_end ON public.prediction_markets USING btree (COALESCE(end_at, '-infinity'::timestamp with time zone), id) INCLUDE (venue, status, volume_24h_usd, liquidity_usd, end_at, price_change_24h)
  CREATE INDEX prediction_markets_all_liquidity ON public.prediction_markets USING btree (liquidity_usd, id) INCLUDE (venue, status, volume_24h_usd, liquidity_usd, end_at, price_change_24h)
  CREATE INDEX prediction_markets_all_open_interest ON public.prediction_markets USING btree (open_interest_usd, id) INCLUDE (venue, status, volume_24h_usd, liquidity_usd, end_at, price_change_24h)
  CREATE INDEX prediction_markets_all_volume_24h ON public.prediction_markets USING btree (volume_24h_usd, id) INCLUDE (venue, status, volume_24h_usd, liquidity_usd, end_at, price_change_24h)
  CREATE INDEX prediction_markets_all_volume_total ON public.prediction_markets USING btree (volume_total_usd, id) INCLUDE (venue, status, volume_24h_usd, liquidity_usd, end_at, price_change_24h)
  CREATE INDEX prediction_markets_by_category ON public.prediction_markets USING btree (lower(category), status, venue) INCLUDE (category, id, volume_24h_usd, volume_total_usd, liquidity_usd, open_interest_usd, end_at, created_at, price_change_24h)
  CREATE INDEX prediction_markets_by_condition ON public.prediction_markets USING btree (condition_id)
  CREATE INDEX prediction_markets_by_event ON public.prediction_markets USING btree (event_id)
  CREATE INDEX prediction_markets_by_search ON public.prediction_markets USING gin (search)
  CREATE INDEX prediction_markets_by_status ON public.prediction_markets USING btree (status, venue)
  CREATE INDEX prediction_markets_by_tag ON public.prediction_markets USING gin (tags)
  CREATE INDEX prediction_markets_change ON public.prediction_markets USING btree (status, COALESCE(price_change_24h, '-Infinity'::numeric), id) INCLUDE (venue, volume_24h_usd, liquidity_usd, end_at, price_change_24h)
  CREATE INDEX prediction_markets_created ON public.prediction_markets USING btree (status, created_at, id) INCLUDE (venue, volume_24h_usd, liquidity_usd, end_at, price_change_24h)
  CREATE INDEX prediction_markets_end ON public.prediction_markets USING btree (status, COALESCE(end_at, '-infinity'::timestamp with time zone), id) INCLUDE (venue, volume_24h_usd, liquidity_usd, end_at, price_change_24h)
  CREATE INDEX prediction_markets_liquidity ON public.prediction_markets USING btree (status, liquidity_usd, id) INCLUDE (venue, volume_24h_usd, liquidity_usd, end_at, price_change_24h)
  CREATE INDEX prediction_markets_open_interest ON public.prediction_markets USING btree (status, open_interest_usd, id) INCLUDE (venue, volume_24h_usd, liquidity_usd, end_at, price_change_24h)
  CREATE INDEX prediction_markets_volume_24h ON public.prediction_markets USING btree (status, volume_24h_usd, id) INCLUDE (venue, volume_24h_usd, liquidity_usd, end_at, price_change_24h)
  CREATE INDEX prediction_markets_volume_total ON public.prediction_markets USING btree (status, volume_total_usd, id) INCLUDE (venue, volume_24h_usd, liquidity_usd, end_at, price_change_24h)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_all_labels AFTER TRUNCATE ON prediction_markets FOR EACH STATEMENT EXECUTE FUNCTION note_revision('labels')
  CREATE TRIGGER note_changed_labels AFTER UPDATE ON prediction_markets FOR EACH ROW WHEN (old.search IS DISTINCT FROM new.search OR old.status IS DISTINCT FROM new.status OR old.venue IS DISTINCT FROM new.venue OR old.category IS DISTINCT FROM new.category OR old.tags IS DISTINCT FROM new.tags) EXECUTE FUNCTION note_revision('labels')
  CREATE TRIGGER note_labels AFTER INSERT OR DELETE ON prediction_markets FOR EACH ROW EXECUTE FUNCTION note_revision('labels')
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_markets FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_match_states
  market_id integer not null
  digest text not null
  method text not null
  keys text[] not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_match_states_market_id_fkey FOREIGN KEY (market_id) REFERENCES prediction_markets(id)
  constraint prediction_match_states_pkey PRIMARY KEY (market_id)
  CREATE INDEX prediction_match_states_by_key ON public.prediction_match_states USING gin (keys) WITH (fastupdate=off)
  grant delete, insert, select, update to ingest

table prediction_matches
  polymarket_id integer not null
  kalshi_id integer not null
  relation text not null
  inverted boolean not null
  score numeric not null
  vetoes jsonb not null
  method text not null
  status text not null
  decided_at timestamp with time zone
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_matches_check CHECK (((decided_at IS NULL) = (status = 'auto'::text)))
  constraint prediction_matches_relation_check CHECK ((relation = ANY (ARRAY['same'::text, 'unclear'::text, 'different'::text])))
  constraint prediction_matches_score_check CHECK (((score >= (0)::numeric) AND (score <= (1)::numeric)))
  constraint prediction_matches_status_check CHECK ((status = ANY (ARRAY['auto'::text, 'confirmed'::text, 'rejected'::text])))
  constraint prediction_matches_kalshi_id_fkey FOREIGN KEY (kalshi_id) REFERENCES prediction_markets(id)
  constraint prediction_matches_polymarket_id_fkey FOREIGN KEY (polymarket_id) REFERENCES prediction_markets(id)
  constraint prediction_matches_pkey PRIMARY KEY (polymarket_id, kalshi_id)
  CREATE INDEX prediction_matches_by_kalshi ON public.prediction_matches USING btree (kalshi_id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_matches FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_outcomes
  market_id integer not null
  position smallint not null
  venue_outcome_id text not null
  name text not null
  price numeric not null
  price_change_24h numeric
  payout numeric
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_outcomes_market_id_fkey FOREIGN KEY (market_id) REFERENCES prediction_markets(id)
  constraint prediction_outcomes_pkey PRIMARY KEY (market_id, "position")
  CREATE INDEX prediction_outcomes_by_venue_id ON public.prediction_outcomes USING btree (venue_outcome_id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_outcomes FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_positions
  trader_id integer not null
  market_id integer not null
  outcome smallint not null
  shares numeric not null
  cost_usd numeric not null
  bought_shares numeric not null
  bought_usd numeric not null
  realized_usd numeric not null
  status text not null
  opened_at timestamp with time zone not null
  closed_at timestamp with time zone
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_positions_status_check CHECK ((status = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text, 'sold'::text])))
  constraint prediction_positions_market_id_fkey FOREIGN KEY (market_id) REFERENCES prediction_markets(id)
  constraint prediction_positions_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES prediction_traders(id)
  constraint prediction_positions_pkey PRIMARY KEY (trader_id, market_id, outcome)
  CREATE INDEX prediction_positions_by_market ON public.prediction_positions USING btree (market_id, outcome, trader_id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_positions FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_prices
  market_id integer not null
  outcome smallint not null
  minutes smallint not null
  at timestamp with time zone not null
  price numeric not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_prices_minutes_check CHECK ((minutes = ANY (ARRAY[5, 60, 1440])))
  constraint prediction_prices_pkey PRIMARY KEY (market_id, outcome, minutes, at)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_prices FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_tags
  slug text not null
  label text not null
  markets_count integer not null default 0
  events_count integer not null default 0
  volume_24h_usd numeric not null default 0
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_tags_pkey PRIMARY KEY (slug)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_tags FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_trade_days
  market_id integer not null
  day timestamp with time zone not null
  outcome smallint not null
  side text not null
  trades integer not null
  volume_usd numeric not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_trade_days_market_id_fkey FOREIGN KEY (market_id) REFERENCES prediction_markets(id)
  constraint prediction_trade_days_pkey PRIMARY KEY (market_id, day, outcome, side)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_trade_days FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_trade_gaps
  market_id integer not null
  from_at timestamp with time zone
  to_at timestamp with time zone not null
  reason text not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_trade_gaps_market_id_fkey FOREIGN KEY (market_id) REFERENCES prediction_markets(id)
  constraint prediction_trade_gaps_pkey PRIMARY KEY (market_id, to_at)
  grant select to api
  grant delete, insert, select, update to ingest

table prediction_trade_states
  market_id integer not null
  loaded_to timestamp with time zone
  walk_cursor text
  walk_to timestamp with time zone
  volume_usd numeric
  detail_volume_usd numeric
  detail_at timestamp with time zone
  prices_at timestamp with time zone
  has_quarantined boolean not null default false
  constraint prediction_trade_states_market_id_fkey FOREIGN KEY (market_id) REFERENCES prediction_markets(id)
  constraint prediction_trade_states_pkey PRIMARY KEY (market_id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_trade_states FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_trader_days
  trader_id integer not null
  category text not null
  day timestamp with time zone not null
  cash_usd numeric not null
  paid_usd numeric not null
  open_value_usd numeric not null
  volume_usd numeric not null
  trades integer not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_trader_days_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES prediction_traders(id)
  constraint prediction_trader_days_pkey PRIMARY KEY (trader_id, category, day)
  CREATE INDEX prediction_trader_days_by_day ON public.prediction_trader_days USING btree (day)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_trader_days FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_traders
  id integer not null generated always as identity
  address text not null
  name text
  avatar_url text
  dirty boolean not null default true
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_traders_pkey PRIMARY KEY (id)
  constraint prediction_traders_address_key UNIQUE (address)
  CREATE INDEX prediction_traders_by_address ON public.prediction_traders USING btree (address text_pattern_ops)
  CREATE INDEX prediction_traders_by_name ON public.prediction_traders USING btree (lower(name) text_pattern_ops)
  CREATE INDEX prediction_traders_dirty ON public.prediction_traders USING btree (id) WHERE dirty
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_traders FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_trades
  market_id integer not null
  at timestamp with time zone not null
  id uuid not null
  outcome smallint not null
  side text not null
  price numeric not null
  size numeric not null
  value_usd numeric not null
  trader_id integer
  tx_hash text
  source text not null
  fetched_at timestamp with time zone not null
  is_block boolean not null default false
  constraint prediction_trades_side_check CHECK ((side = ANY (ARRAY['buy'::text, 'sell'::text])))
  constraint prediction_trades_market_id_fkey FOREIGN KEY (market_id) REFERENCES prediction_markets(id)
  constraint prediction_trades_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES prediction_traders(id)
  constraint prediction_trades_pkey PRIMARY KEY (market_id, at, id)
  CREATE INDEX prediction_trades_by_time ON public.prediction_trades USING brin (at)
  CREATE INDEX prediction_trades_by_trader ON public.prediction_trades USING btree (trader_id, at, id) WHERE (trader_id IS NOT NULL)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_trades FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_venue_periods
  venue text not null
  category text not null
  interval text not null
  start_at timestamp with time zone not null
  volume_usd numeric not null
  trades integer not null
  active_traders integer not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_venue_periods_interval_check CHECK (("interval" = ANY (ARRAY['daily'::text, 'weekly'::text, 'monthly'::text])))
  constraint prediction_venue_periods_pkey PRIMARY KEY (venue, category, "interval", start_at)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_venue_periods FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table prediction_venues
  venue text not null
  volume_24h_usd numeric not null
  volume_7d_usd numeric not null
  volume_total_usd numeric not null
  open_interest_usd numeric not null
  liquidity_usd numeric not null
  open_markets integer not null
  open_events integer not null
  active_traders_24h integer not null
  trades_24h integer not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint prediction_venues_pkey PRIMARY KEY (venue)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prediction_venues FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table price_changes
  coin_id text not null
  from_at timestamp with time zone not null
  changed_by xid8 not null default pg_current_xact_id()
  noted_by xid8
  grant delete, insert, select, update to ingest

table price_days
  coin_id text not null
  at timestamp with time zone not null
  usd numeric not null
  source text not null
  fetched_at timestamp with time zone not null
  recorded_at timestamp with time zone not null default now()
  constraint price_days_pkey PRIMARY KEY (coin_id, at) INCLUDE (usd)
  partition by RANGE (at)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER keep_deleted AFTER DELETE ON price_days REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('coin_id, at, usd, source', 'coin_id, at', 'old.coin_id in (select coin_id from past.coins_held)')
  CREATE TRIGGER keep_updated AFTER UPDATE ON price_days REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('coin_id, at, usd, source', 'coin_id, at', 'old.coin_id in (select coin_id from past.coins_held)')
  CREATE TRIGGER note_inserted AFTER INSERT ON price_days FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON price_days FOR EACH STATEMENT EXECUTE FUNCTION note_revision()
  CREATE TRIGGER stamp BEFORE UPDATE ON price_days FOR EACH ROW WHEN (old.usd IS DISTINCT FROM new.usd OR old.source IS DISTINCT FROM new.source) EXECUTE FUNCTION past.stamp()

table price_histories
  coin_id text not null
  resolution text not null
  from_at timestamp with time zone not null
  to_at timestamp with time zone not null
  floor_reason text
  floor_plan text
  constraint price_histories_resolution_check CHECK ((resolution = ANY (ARRAY['hour'::text, 'day'::text])))
  constraint price_histories_coin_id_fkey FOREIGN KEY (coin_id) REFERENCES coins(id)
  constraint price_histories_pkey PRIMARY KEY (coin_id, resolution)
  grant select to api
  grant delete, insert, select, update to ingest

table price_hours
  coin_id text not null
  at timestamp with time zone not null
  usd numeric not null
  source text not null
  fetched_at timestamp with time zone not null
  recorded_at timestamp with time zone not null default now()
  constraint price_hours_pkey PRIMARY KEY (coin_id, at) INCLUDE (usd)
  partition by RANGE (at)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER keep_deleted AFTER DELETE ON price_hours REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('coin_id, at, usd, source', 'coin_id, at', 'old.coin_id in (select coin_id from past.coins_held)')
  CREATE TRIGGER keep_updated AFTER UPDATE ON price_hours REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('coin_id, at, usd, source', 'coin_id, at', 'old.coin_id in (select coin_id from past.coins_held)')
  CREATE TRIGGER note_inserted AFTER INSERT ON price_hours FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON price_hours FOR EACH STATEMENT EXECUTE FUNCTION note_revision()
  CREATE TRIGGER stamp BEFORE UPDATE ON price_hours FOR EACH ROW WHEN (old.usd IS DISTINCT FROM new.usd OR old.source IS DISTINCT FROM new.source) EXECUTE FUNCTION past.stamp()

table quarantine
  id bigint not null generated always as identity
  source text not null
  area text not null
  reason text not null
  payload jsonb not null
  fetched_at timestamp with time zone not null
  activity text
  input jsonb
  retry_state text
  retry_at timestamp with time zone
  retry_failure text
  constraint quarantine_retry_state_check CHECK ((retry_state = ANY (ARRAY['asked'::text, 'refused'::text, 'failed'::text])))
  constraint quarantine_pkey PRIMARY KEY (id)
  CREATE INDEX quarantine_by_source ON public.quarantine USING btree (source, fetched_at DESC)
  grant delete, insert, select, update to ingest

table rate_states
  unlogged
  with fillfactor=50
  account_id uuid not null
  due_us bigint not null
  constraint rate_states_pkey PRIMARY KEY (account_id)

table restore_checks
  id bigint not null generated always as identity
  backup_at timestamp with time zone not null
  checked_at timestamp with time zone not null default clock_timestamp()
  operator text not null
  note text not null
  constraint restore_checks_note_check CHECK ((length(note) <= 500))
  constraint restore_checks_pkey PRIMARY KEY (id)

table revoked_sessions
  subject text not null
  revoked_at timestamp with time zone not null default now()
  constraint revoked_sessions_subject_check CHECK ((subject ~ '^0x([0-9a-f]{40}|[0-9a-f]{64})$'::text))
  constraint revoked_sessions_pkey PRIMARY KEY (subject)
  grant select to api

table role_treatments
  book_id bigint not null
  role text not null
  treatment text not null
  asked_by text not null
  asked_at timestamp with time zone not null
  constraint role_treatments_role_check CHECK ((role = ANY (ARRAY['airdrop'::text, 'reward'::text, 'interest'::text, 'rebase'::text])))
  constraint role_treatments_treatment_check CHECK ((treatment = ANY (ARRAY['income'::text, 'flow'::text])))
  constraint role_treatments_book_id_fkey FOREIGN KEY (book_id) REFERENCES books(id) ON DELETE CASCADE
  constraint role_treatments_pkey PRIMARY KEY (book_id, role)
  grant select to api
  grant select to ingest

table scope_books
  scope_id bigint
  book_id bigint
  grant select to api
  grant select to ingest
  as
 SELECT s.id AS scope_id,
    b.id AS book_id
   FROM scopes s
     CROSS JOIN LATERAL ( SELECT s.book_id
          WHERE s.book_id IS NOT NULL
        UNION ALL
         SELECT w.id
           FROM books w
          WHERE w.wallet_id = s.wallet_id
        UNION ALL
         SELECT p_1.book_id
           FROM portfolio_books p_1
          WHERE p_1.account_id = s.account_id) b(id)
     JOIN pl_states p ON p.book_id = b.id AND p.computed_to IS NOT NULL

table scopes
  id bigint not null generated always as identity
  book_id bigint
  wallet_id bigint
  account_id uuid
  dirty_from timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone
  recorded_at timestamp with time zone not null default now()
  constraint scopes_check CHECK ((num_nonnulls(book_id, wallet_id, account_id) = 1))
  constraint scopes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint scopes_book_id_fkey FOREIGN KEY (book_id) REFERENCES books(id) ON DELETE CASCADE
  constraint scopes_pkey PRIMARY KEY (id)
  constraint scopes_account_id_key UNIQUE (account_id)
  constraint scopes_book_id_key UNIQUE (book_id)
  constraint scopes_wallet_id_key UNIQUE (wallet_id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER keep_deleted AFTER DELETE ON scopes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('id, book_id, wallet_id, account_id', 'id', 'true')
  CREATE TRIGGER keep_updated AFTER UPDATE ON scopes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('id, book_id, wallet_id, account_id', 'id', 'true')
  CREATE TRIGGER note_inserted AFTER INSERT ON scopes FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER stamp BEFORE UPDATE ON scopes FOR EACH ROW WHEN (old.book_id IS DISTINCT FROM new.book_id OR old.wallet_id IS DISTINCT FROM new.wallet_id OR old.account_id IS DISTINCT FROM new.account_id) EXECUTE FUNCTION past.stamp()

table sign_in_tries
  kind text not null
  key text not null
  wrong integer not null
  locked_until timestamp with time zone
  last_at timestamp with time zone not null
  constraint sign_in_tries_kind_check CHECK ((kind = ANY (ARRAY['name'::text, 'code'::text, 'address'::text])))
  constraint sign_in_tries_pkey PRIMARY KEY (kind, key)
  CREATE INDEX sign_in_tries_by_age ON public.sign_in_tries USING btree (last_at)

table source_hours
  source text not null
  hour timestamp with time zone not null
  requests integer not null
  failures integer not null
  constraint source_hours_pkey PRIMARY KEY (source, hour)
  grant delete, insert, select, update to ingest

table source_orders
  source text not null
  is_paused boolean not null default false
  requests_per_second double precision
  burst integer
  quota bigint
  quota_per text
  constraint source_orders_burst_check CHECK ((burst >= 1))
  constraint source_orders_check CHECK (((quota IS NULL) = (quota_per IS NULL)))
  constraint source_orders_quota_check CHECK ((quota >= 0))
  constraint source_orders_quota_per_check CHECK ((quota_per = ANY (ARRAY['day'::text, 'month'::text])))
  constraint source_orders_requests_per_second_check CHECK ((requests_per_second > (0)::double precision))
  constraint source_orders_pkey PRIMARY KEY (source)
  grant select to ingest

table source_shapes
  source text not null
  operation text not null
  shape jsonb not null
  learnt integer not null
  changes jsonb not null
  answer jsonb
  changed_at timestamp with time zone not null default now()
  constraint source_shapes_pkey PRIMARY KEY (source, operation)
  grant delete, insert, select, update to ingest

table source_states
  source text not null
  next_request_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  last_success_at timestamp with time zone
  last_failure_at timestamp with time zone
  last_failure text
  consecutive_failures integer not null default 0
  paused_until timestamp with time zone not null default '-infinity'::timestamp with time zone
  data_age_s double precision
  constraint source_states_pkey PRIMARY KEY (source)
  grant select to api
  grant delete, insert, select, update to ingest

table source_usage
  account text not null
  source text not null
  work text not null
  day timestamp with time zone not null
  requests bigint not null
  units bigint not null
  constraint source_usage_pkey PRIMARY KEY (account, day, source, work)
  grant delete, insert, select, update to ingest

table sources
  name text not null
  area text not null
  missing text
  freshness_target_s integer
  requests_per_second double precision
  burst integer
  quota bigint
  quota_per text
  account text
  unit text
  constraint sources_quota_per_check CHECK ((quota_per = ANY (ARRAY['day'::text, 'month'::text])))
  constraint sources_pkey PRIMARY KEY (name)
  grant delete, insert, select, update to ingest

table sync_requests
  workflow_id text
  requested_at timestamp with time zone
  grant select to api
  as
 SELECT workflow_id,
    created_at AS requested_at
   FROM outbox
  WHERE workflow = 'syncWallet'::text

table table_revisions
  with fillfactor=50
  table_name text not null
  slot integer not null
  revision uuid not null
  constraint table_revisions_pkey PRIMARY KEY (table_name, slot)
  grant select to api

table ticker_exchange_mappings
  source text not null
  upstream_id text not null
  exchange_id text not null
  constraint ticker_exchange_mappings_exchange_id_fkey FOREIGN KEY (exchange_id) REFERENCES ticker_exchanges(id)
  constraint ticker_exchange_mappings_pkey PRIMARY KEY (source, upstream_id)
  constraint ticker_exchange_mappings_exchange_id_source_key UNIQUE (exchange_id, source)
  grant select to api
  grant delete, insert, select, update to ingest

table ticker_exchange_volumes
  exchange_id text not null
  source text not null
  at timestamp with time zone not null
  volume_24h_usd numeric not null
  fetched_at timestamp with time zone not null
  constraint ticker_exchange_volumes_exchange_id_fkey FOREIGN KEY (exchange_id) REFERENCES ticker_exchanges(id)
  constraint ticker_exchange_volumes_pkey PRIMARY KEY (exchange_id, source, at)
  CREATE INDEX ticker_exchange_volumes_by_time ON public.ticker_exchange_volumes USING btree (at)
  grant select to api
  grant delete, insert, select, update to ingest

table ticker_exchanges
  id text not null
  name text not null
  icon text
  url text
  rank integer
  volume_24h_usd numeric not null
  volume_7d_usd numeric
  volume_30d_usd numeric
  change_24h numeric
  at timestamp with time zone not null
  tickers_at timestamp with time zone
  charted_at timestamp with time zone
  source text not null
  fetched_at timestamp with time zone not null
  constraint ticker_exchanges_pkey PRIMARY KEY (id)
  CREATE INDEX ticker_exchanges_by_name ON public.ticker_exchanges USING btree (lower(name))
  CREATE INDEX ticker_exchanges_by_rank ON public.ticker_exchanges USING btree (rank, id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON ticker_exchanges FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table ticker_prices
  exchange_id text not null
  base text not null
  target text not null
  at timestamp with time zone not null
  pair_price numeric not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint ticker_prices_pkey PRIMARY KEY (exchange_id, base, target, at)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON ticker_prices FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table tickers
  exchange_id text not null
  base text not null
  target text not null
  base_coin_id text
  target_coin_id text
  pair_price numeric not null
  pair_volume numeric not null
  price_usd numeric not null
  volume_usd numeric not null
  verified boolean not null
  listed boolean not null default true
  at timestamp with time zone not null
  first_seen_at timestamp with time zone not null
  seen_at timestamp with time zone not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint tickers_exchange_id_fkey FOREIGN KEY (exchange_id) REFERENCES ticker_exchanges(id)
  constraint tickers_pkey PRIMARY KEY (exchange_id, base, target)
  CREATE INDEX tickers_by_base ON public.tickers USING btree (base) WHERE listed
  CREATE INDEX tickers_by_base_coin ON public.tickers USING btree (base_coin_id) WHERE listed
  CREATE INDEX tickers_by_target ON public.tickers USING btree (target) WHERE listed
  CREATE INDEX tickers_by_target_coin ON public.tickers USING btree (target_coin_id) WHERE listed
  CREATE INDEX tickers_by_volume ON public.tickers USING btree (volume_usd DESC, exchange_id, base, target) WHERE listed
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON tickers FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table token_risks
  blockchain text not null
  address text not null
  known boolean not null
  facts jsonb not null default '{}'::jsonb
  detected text[] not null default '{}'::text[]
  clear text[] not null default '{}'::text[]
  score smallint
  market_endorsed boolean
  ownership_renounced boolean
  source text not null
  fetched_at timestamp with time zone not null
  checked_at timestamp with time zone not null
  constraint token_risks_score_check CHECK (((score >= 0) AND (score <= 100)))
  constraint token_risks_pkey PRIMARY KEY (blockchain, address)
  CREATE INDEX token_risks_by_check ON public.token_risks USING btree (checked_at)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON token_risks FOR EACH STATEMENT EXECUTE FUNCTION note_revision()

table tokens
  network_id text not null
  address text not null
  symbol text
  name text
  decimals smallint
  coin_id text not null
  spam_reason text
  source text not null
  fetched_at timestamp with time zone not null
  recorded_at timestamp with time zone not null default now()
  constraint tokens_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint tokens_pkey PRIMARY KEY (network_id, address)
  CREATE INDEX tokens_by_coin ON public.tokens USING btree (network_id, coin_id)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER hold_coins AFTER UPDATE ON tokens REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.hold_coins('select n.coin_id from new_rows n
     where (n.network_id, n.address) in (select network_id, token_address from defi_assets)')
  CREATE TRIGGER keep_deleted AFTER DELETE ON tokens REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('network_id, address, symbol, decimals, coin_id, spam_reason, name', 'network_id, address', 'true')
  CREATE TRIGGER keep_updated AFTER UPDATE ON tokens REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('network_id, address, symbol, decimals, coin_id, spam_reason, name', 'network_id, address', 'true')
  CREATE TRIGGER note_inserted AFTER INSERT ON tokens FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER note_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON tokens FOR EACH STATEMENT EXECUTE FUNCTION note_revision()
  CREATE TRIGGER stamp BEFORE UPDATE ON tokens FOR EACH ROW WHEN (old.symbol IS DISTINCT FROM new.symbol OR old.decimals IS DISTINCT FROM new.decimals OR old.coin_id IS DISTINCT FROM new.coin_id OR old.spam_reason IS DISTINCT FROM new.spam_reason OR old.name IS DISTINCT FROM new.name) EXECUTE FUNCTION past.stamp()

table told_transactions
  network_id text not null
  wallet_id bigint not null
  tx_hash text not null
  account_id uuid not null
  endpoint_ids uuid[] not null
  at timestamp with time zone not null default now()
  constraint told_transactions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
  constraint told_transactions_pkey PRIMARY KEY (network_id, wallet_id, tx_hash, account_id)
  CREATE INDEX told_transactions_by_time ON public.told_transactions USING btree (at)
  CREATE INDEX told_transactions_of_account ON public.told_transactions USING btree (account_id)

table touched_wallets
  network_id text not null
  wallet_id bigint not null
  from_block bigint not null
  through_block bigint not null
  reason text not null
  marked_at timestamp with time zone not null default clock_timestamp()
  attempts integer not null default 0
  next_at timestamp with time zone
  constraint touched_wallets_reason CHECK ((reason = ANY (ARRAY['block'::text, 'reorg'::text, 'verify'::text, 'unexplained'::text])))
  constraint touched_wallets_pkey PRIMARY KEY (network_id, wallet_id)
  grant select to api
  grant delete, insert, select, update to ingest

table transaction_days
  ledger text not null
  coin text not null
  day date not null
  rows bigint not null
  constraint transaction_days_pkey PRIMARY KEY (ledger, coin, day)
  grant select to api
  grant delete, insert, select, update to ingest

table transaction_parts
  connection_id uuid not null
  kind text not null
  key text not null
  part smallint not null
  share numeric
  role text
  at timestamp with time zone
  portfolio_id uuid
  source text not null
  fetched_at timestamp with time zone not null
  constraint transaction_parts_check CHECK (
CASE
    WHEN (part = 0) THEN (share IS NULL)
    ELSE ((share > (0)::numeric) AND (share < (1)::numeric))
END)
  constraint transaction_parts_part_check CHECK ((part >= 0))
  constraint transaction_parts_role_check CHECK ((role = ANY (ARRAY['transfer'::text, 'trade'::text, 'wrap'::text, 'fee'::text, 'airdrop'::text, 'reward'::text, 'interest'::text, 'rebase'::text, 'spam'::text])))
  constraint transaction_parts_connection_id_kind_key_fkey FOREIGN KEY (connection_id, kind, key) REFERENCES exchange_transactions(connection_id, kind, key) ON DELETE CASCADE
  constraint transaction_parts_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES portfolios(id) ON DELETE SET NULL
  constraint transaction_parts_pkey PRIMARY KEY (connection_id, kind, key, part)
  CREATE INDEX transaction_parts_elsewhere ON public.transaction_parts USING btree (portfolio_id) WHERE (portfolio_id IS NOT NULL)
  grant select to api
  grant select to ingest
  CREATE TRIGGER part_changed AFTER INSERT OR DELETE OR UPDATE ON transaction_parts FOR EACH ROW EXECUTE FUNCTION mark_changed_part()

table transactions
  network_id text not null
  hash text not null
  block_number bigint not null
  block_hash text not null
  at timestamp with time zone not null
  tx_index integer not null
  from_address text not null
  to_address text
  value numeric(78,0) not null
  fee numeric(78,0) not null
  success boolean not null
  selector text
  source text not null
  fetched_at timestamp with time zone not null
  constraint transactions_pkey PRIMARY KEY (network_id, hash)
  partition by HASH (network_id, hash)
  CREATE INDEX transactions_by_block ON ONLY public.transactions USING btree (network_id, block_number)
  CREATE INDEX transactions_by_sender ON ONLY public.transactions USING btree (network_id, from_address, block_number)
  grant select to api
  grant delete, insert, select, update to ingest

table transfer_matches
  coin_id text not null
  raw numeric(78,0) not null
  decimals smallint not null
  from_book_id bigint not null
  from_at timestamp with time zone not null
  from_tx_id text not null
  from_seq integer not null
  from_price_usd numeric
  to_book_id bigint not null
  to_at timestamp with time zone not null
  to_tx_id text not null
  to_seq integer not null
  to_price_usd numeric
  scope_id bigint not null
  fee numeric not null
  constraint transfer_matches_fee_check CHECK ((fee >= (0)::numeric))
  constraint transfer_matches_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES scopes(id) ON DELETE CASCADE
  constraint transfer_matches_pkey PRIMARY KEY (scope_id, from_book_id, from_tx_id, from_seq)
  grant select to api
  grant delete, insert, select, update to ingest

table transfers
  network_id text not null
  tx_hash text not null
  kind text not null
  position integer not null
  item integer not null default 0
  token_address text
  token_id numeric(78,0)
  from_address text not null
  to_address text not null
  raw numeric(78,0) not null
  block_number bigint not null
  block_hash text not null
  at timestamp with time zone not null
  source text not null
  fetched_at timestamp with time zone not null
  fan_out integer not null default 1
  constraint transfers_kind_check CHECK ((kind = ANY (ARRAY['native'::text, 'internal'::text, 'mint'::text, 'withdrawal'::text, 'operation'::text, 'erc20'::text, 'erc721'::text, 'erc1155'::text, 'wrap'::text, 'approval'::text, 'input'::text, 'output'::text, 'spl'::text, 'rent'::text, 'reward'::text, 'issued'::text, 'fee'::text])))
  constraint transfers_pkey PRIMARY KEY (network_id, tx_hash, kind, "position", item)
  partition by HASH (network_id, tx_hash)
  CREATE INDEX transfers_by_block ON ONLY public.transfers USING btree (network_id, block_number)
  CREATE INDEX transfers_by_receiver ON ONLY public.transfers USING btree (network_id, to_address, block_number)
  CREATE INDEX transfers_by_sender ON ONLY public.transfers USING btree (network_id, from_address, block_number)
  CREATE INDEX transfers_of_nfts_by_receiver ON ONLY public.transfers USING btree (network_id, to_address, token_address, token_id) INCLUDE (raw) WHERE (kind = ANY (ARRAY['erc721'::text, 'erc1155'::text]))
  CREATE INDEX transfers_of_nfts_by_sender ON ONLY public.transfers USING btree (network_id, from_address, token_address, token_id) INCLUDE (raw) WHERE (kind = ANY (ARRAY['erc721'::text, 'erc1155'::text]))
  CREATE INDEX transfers_of_nfts_by_token ON ONLY public.transfers USING btree (network_id, token_address, token_id) WHERE (kind = ANY (ARRAY['erc721'::text, 'erc1155'::text]))
  grant select to api
  grant delete, insert, select, update to ingest

table uncomputed_figures
  book_id bigint
  portfolio_id uuid
  account_id uuid
  grant select to api
  as
 SELECT s.book_id,
    NULL::uuid AS portfolio_id,
    NULL::uuid AS account_id
   FROM pl_states s
  WHERE s.legs_changed OR s.computed_to IS NULL
UNION ALL
 SELECT s.book_id,
    NULL::uuid AS portfolio_id,
    s.account_id
   FROM scopes s
     JOIN folds f ON f.scope_id = s.id
  WHERE s.wallet_id IS NULL AND f.dirty_from IS NOT NULL
UNION ALL
 SELECT b.id AS book_id,
    NULL::uuid AS portfolio_id,
    NULL::uuid AS account_id
   FROM scopes s
     JOIN folds f ON f.scope_id = s.id
     JOIN books b ON b.wallet_id = s.wallet_id
  WHERE f.dirty_from IS NOT NULL
UNION ALL
 SELECT NULL::bigint AS book_id,
    NULL::uuid AS portfolio_id,
    s.account_id
   FROM scopes s
  WHERE s.account_id IS NOT NULL AND s.dirty_from IS NOT NULL
UNION ALL
 SELECT NULL::bigint AS book_id,
    t.connection_id AS portfolio_id,
    NULL::uuid AS account_id
   FROM exchange_transactions t
  WHERE NOT t.derived
UNION ALL
 SELECT NULL::bigint AS book_id,
    t.portfolio_id,
    NULL::uuid AS account_id
   FROM manual_transactions t
  WHERE NOT t.derived

table unconfirmed_transactions
  network_id text not null
  wallet_id bigint not null
  tx_hash text not null
  block_number bigint not null
  late boolean not null
  constraint unconfirmed_transactions_pkey PRIMARY KEY (network_id, wallet_id, tx_hash)
  CREATE INDEX unconfirmed_transactions_by_block ON public.unconfirmed_transactions USING btree (network_id, block_number)
  grant delete, insert, select, update to ingest

table usage_days
  with fillfactor=50
  account_id uuid not null
  day date not null
  endpoint text not null
  calls bigint not null
  credits bigint not null
  constraint usage_days_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint usage_days_pkey PRIMARY KEY (account_id, day, endpoint)

table user_invitations
  user_subject text not null
  hash bytea not null
  expires_at timestamp with time zone not null
  constraint user_invitations_hash_check CHECK ((octet_length(hash) = 32))
  constraint user_invitations_user_subject_fkey FOREIGN KEY (user_subject) REFERENCES users(subject) ON DELETE CASCADE
  constraint user_invitations_pkey PRIMARY KEY (user_subject)
  constraint user_invitations_hash_key UNIQUE (hash)

table user_recovery_codes
  user_subject text not null
  hash bytea not null
  constraint user_recovery_codes_hash_check CHECK ((octet_length(hash) = 32))
  constraint user_recovery_codes_user_subject_fkey FOREIGN KEY (user_subject) REFERENCES users(subject) ON DELETE CASCADE
  constraint user_recovery_codes_pkey PRIMARY KEY (user_subject, hash)

table user_totp
  user_subject text not null
  key_id text not null
  wrapped_key bytea not null
  ciphertext bytea not null
  confirmed_at timestamp with time zone
  last_step bigint
  constraint user_totp_user_subject_fkey FOREIGN KEY (user_subject) REFERENCES users(subject) ON DELETE CASCADE
  constraint user_totp_pkey PRIMARY KEY (user_subject)

table user_wallets
  address text not null
  user_subject text not null
  added_at timestamp with time zone not null default now()
  constraint user_wallets_address_check CHECK ((address ~ '^0x[0-9a-f]{40}$'::text))
  constraint user_wallets_user_subject_fkey FOREIGN KEY (user_subject) REFERENCES users(subject) ON DELETE CASCADE
  constraint user_wallets_pkey PRIMARY KEY (address)
  CREATE INDEX user_wallets_by_user ON public.user_wallets USING btree (user_subject)

table users
  subject text not null default (gen_random_uuid())::text
  name text not null
  password_hash text
  created_at timestamp with time zone not null default now()
  disabled_at timestamp with time zone
  signed_in_at timestamp with time zone
  constraint users_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9._@+-]{0,63}$'::text))
  constraint users_pkey PRIMARY KEY (subject)
  constraint users_name_key UNIQUE (name)

table wallet_accounts
  wallet_id bigint not null
  network_id text not null
  account text not null
  role text not null
  read_block bigint not null default '-1'::integer
  newest text
  source text not null
  fetched_at timestamp with time zone not null
  seen text
  seen_block bigint
  listed_at timestamp with time zone
  constraint wallet_accounts_role_check CHECK ((role = ANY (ARRAY['wallet'::text, 'address'::text, 'token'::text])))
  constraint wallet_accounts_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint wallet_accounts_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
  constraint wallet_accounts_pkey PRIMARY KEY (wallet_id, network_id, account)
  CREATE INDEX wallet_accounts_by_account ON public.wallet_accounts USING btree (network_id, account) WHERE (role = 'address'::text)
  grant select to api
  grant delete, insert, select, update to ingest

table wallet_challenges
  hash bytea not null
  purpose text not null
  address text not null
  issued_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  constraint wallet_challenges_hash_check CHECK ((octet_length(hash) = 32))
  constraint wallet_challenges_pkey PRIMARY KEY (hash)
  CREATE INDEX wallet_challenges_by_end ON public.wallet_challenges USING btree (expires_at)

table wallet_coverage
  wallet_id bigint
  network_id text
  synced_at timestamp with time zone
  state text
  message text
  followed boolean
  verified_at timestamp with time zone
  grant select to api
  grant select to ingest
  as
 SELECT sync.wallet_id,
    sync.network_id,
    GREATEST(sync.synced_at,
        CASE
            WHEN follower.is_whole THEN follower.as_of
            ELSE NULL::timestamp with time zone
        END, checked.as_of) AS synced_at,
        CASE
            WHEN sync.synced_at IS NULL OR found.is_behind OR found.is_paused THEN 'syncing'::text
            ELSE 'synced'::text
        END AS state,
        CASE
            WHEN found.is_paused THEN ((('More transactions a day on '::text || sync.network_id) || ' than are followed: paused until '::text) || to_char((sync.paused_until AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD HH24:MI'::text)) || ' UTC'::text
            WHEN NOT follower.is_at_work OR NOT (sync.synced_at IS NULL OR found.is_behind) THEN NULL::text
            WHEN NOT follower.is_whole THEN ('The history on '::text || sync.network_id) || ' is being read'::text
            WHEN follower.is_derived THEN ('The newest blocks on '::text || sync.network_id) || ' are being read'::text
            ELSE ('New transactions on '::text || sync.network_id) || ' are being added'::text
        END AS message,
    follower.is_at_work AND follower.is_whole AND follower.as_of >= (now() - GREATEST(300000, network.patience_ms)::double precision * '00:00:00.001'::interval) AS followed,
    GREATEST(sync.synced_at, sync.balances_at, checked.as_of) AS verified_at
   FROM wallet_syncs sync
     LEFT JOIN followed_networks network ON network.network_id = sync.network_id
     LEFT JOIN touched_wallets touched ON touched.network_id = sync.network_id AND touched.wallet_id = sync.wallet_id AND touched.from_block <= touched.through_block
     CROSS JOIN LATERAL ( SELECT COALESCE(network.is_on AND sync.covered_from IS NOT NULL, false) AS is_at_work,
            COALESCE(network.network_id IS NOT NULL AND sync.synced_at IS NOT NULL AND LEAST(sync.cursor_block, sync.normalised_block) >= (sync.covered_from - 1), false) AS is_whole,
            COALESCE(touched.marked_at >= (now() - '00:00:30'::interval), true) AS is_derived,
            LEAST(network.as_of, touched.marked_at) AS as_of) follower
     LEFT JOIN LATERAL ( SELECT span.checked_at AS as_of
           FROM ( SELECT account_checks.checked_at
                   FROM account_checks
                  WHERE account_checks.network_id = sync.network_id AND account_checks.first_wallet <= sync.wallet_id
                  ORDER BY account_checks.first_wallet DESC
                 LIMIT 1) span
          WHERE sync.normalised_block >= sync.cursor_block AND sync.synced_at IS NOT NULL AND ( SELECT bool_and(COALESCE(known.seen_block <= sync.cursor_block, false)) AS bool_and
                   FROM wallet_accounts known
                  WHERE known.wallet_id = sync.wallet_id AND known.network_id = sync.network_id)) checked ON true
     CROSS JOIN LATERAL ( SELECT follower.is_at_work AND NOT (follower.is_whole AND (follower.is_derived AND network.as_of >= (now() - network.patience_ms::double precision * '00:00:00.001'::interval) OR sync.synced_at > follower.as_of)) AS is_behind,
            COALESCE(network.is_on AND sync.paused_until > now(), false) AS is_paused) found

table wallet_spam
  wallet_id bigint not null
  network_id text not null
  coin_id text not null
  constraint wallet_spam_pkey PRIMARY KEY (wallet_id, network_id, coin_id)
  grant select to api
  grant insert, select to ingest

table wallet_syncs
  wallet_id bigint not null
  network_id text not null
  requested_at timestamp with time zone not null default now()
  cursor_block bigint not null default '-1'::integer
  head_block bigint
  synced_at timestamp with time zone
  failed_at timestamp with time zone
  failure text
  normalised_block bigint not null default '-1'::integer
  recorded_at timestamp with time zone not null default now()
  format_version integer not null default 1
  normalised_version integer not null default 1
  balances_at timestamp with time zone
  walk jsonb
  gap_from bigint
  gap_to bigint
  gap_reason text
  covered_from bigint
  paused_until timestamp with time zone
  constraint wallet_syncs_network_id_fkey FOREIGN KEY (network_id) REFERENCES networks(id)
  constraint wallet_syncs_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id)
  constraint wallet_syncs_pkey PRIMARY KEY (wallet_id, network_id)
  CREATE INDEX wallet_syncs_uncovered ON public.wallet_syncs USING btree (network_id) WHERE (covered_from IS NULL)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER defi_begun AFTER INSERT ON wallet_syncs FOR EACH ROW WHEN (new.synced_at IS NOT NULL) EXECUTE FUNCTION mark_synced_defi_wallet()
  CREATE TRIGGER defi_synced AFTER UPDATE ON wallet_syncs FOR EACH ROW WHEN (old.synced_at IS NULL AND new.synced_at IS NOT NULL) EXECUTE FUNCTION mark_synced_defi_wallet()
  CREATE TRIGGER keep_deleted AFTER DELETE ON wallet_syncs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('wallet_id, network_id, synced_at', 'wallet_id, network_id', 'exists (select from wallets w join portfolios p on p.address = w.address
   where w.id = old.wallet_id and p.network_id = old.network_id)')
  CREATE TRIGGER keep_updated AFTER UPDATE ON wallet_syncs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION past.keep_replaced('wallet_id, network_id, synced_at', 'wallet_id, network_id', 'exists (select from wallets w join portfolios p on p.address = w.address
   where w.id = old.wallet_id and p.network_id = old.network_id)')
  CREATE TRIGGER note_inserted AFTER INSERT ON wallet_syncs FOR EACH STATEMENT EXECUTE FUNCTION past.note_inserted()
  CREATE TRIGGER rank_on_delete AFTER DELETE ON wallet_syncs FOR EACH ROW WHEN (old.synced_at IS NOT NULL) EXECUTE FUNCTION rank_synced_wallet()
  CREATE TRIGGER rank_on_sync AFTER UPDATE ON wallet_syncs FOR EACH ROW WHEN ((old.synced_at IS NULL) <> (new.synced_at IS NULL)) EXECUTE FUNCTION rank_synced_wallet()
  CREATE TRIGGER rank_on_synced_insert AFTER INSERT ON wallet_syncs FOR EACH ROW WHEN (new.synced_at IS NOT NULL) EXECUTE FUNCTION rank_synced_wallet()
  CREATE TRIGGER stamp BEFORE UPDATE ON wallet_syncs FOR EACH ROW WHEN (old.synced_at IS DISTINCT FROM new.synced_at) EXECUTE FUNCTION past.stamp()

table wallet_transaction_anchors
  wallet_id bigint not null
  series text not null
  rank bigint not null
  at timestamp with time zone not null
  network_id text not null
  tx_index integer not null
  hash text not null
  constraint wallet_transaction_anchors_pkey PRIMARY KEY (wallet_id, series, rank)
  grant select to api
  grant delete, insert, select, update to ingest

table wallet_transaction_counts
  wallet_id bigint not null
  series text not null
  rows bigint not null
  revision uuid
  constraint wallet_transaction_counts_pkey PRIMARY KEY (wallet_id, series)
  grant select to api
  grant delete, insert, select, update to ingest

table wallet_transactions
  wallet_id bigint not null
  network_id text not null
  at timestamp with time zone not null
  block_number bigint not null
  block_hash text not null
  tx_index integer not null
  hash text not null
  type text not null
  coin_ids text[] not null
  identified boolean not null
  main_coin_id text
  main_symbol text
  main_count numeric
  main_value_usd numeric
  fragment text not null
  source text not null
  fetched_at timestamp with time zone not null
  constraint wallet_transactions_main_symbol_check CHECK ((main_symbol !~ '[\x01-\x1f\x7f]'::text))
  constraint wallet_transactions_type_check CHECK ((type = ANY (ARRAY['deposit'::text, 'withdraw'::text, 'approve'::text, 'executed'::text, 'balance'::text, 'fee'::text])))
  constraint wallet_transactions_pkey PRIMARY KEY (wallet_id, at, network_id, tx_index, hash)
  partition by HASH (wallet_id)
  CREATE INDEX wallet_transactions_by_block ON ONLY public.wallet_transactions USING btree (network_id, block_number)
  CREATE INDEX wallet_transactions_by_network ON ONLY public.wallet_transactions USING btree (wallet_id, network_id, at, tx_index, hash)
  grant select to api
  grant delete, insert, select, update to ingest
  CREATE TRIGGER days_deleted AFTER DELETE ON wallet_transactions REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_transaction_days('wallet_id || '':'' || network_id', 'array_prepend('''', coin_ids)')
  CREATE TRIGGER days_inserted AFTER INSERT ON wallet_transactions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_transaction_days('wallet_id || '':'' || network_id', 'array_prepend('''', coin_ids)')
  CREATE TRIGGER days_updated AFTER UPDATE OF at, coin_ids ON wallet_transactions FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION count_transaction_days('wallet_id || '':'' || network_id', 'array_prepend('''', coin_ids)')
  CREATE TRIGGER defi_deleted AFTER DELETE ON wallet_transactions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_defi_wallets()
  CREATE TRIGGER defi_inserted AFTER INSERT ON wallet_transactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_defi_wallets()
  CREATE TRIGGER rank_deleted AFTER DELETE ON wallet_transactions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rank_changed_wallet_transactions()
  CREATE TRIGGER rank_inserted AFTER INSERT ON wallet_transactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rank_changed_wallet_transactions()
  CREATE TRIGGER revise_updated AFTER UPDATE ON wallet_transactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION revise_wallet_transactions()

table wallets
  id bigint not null generated always as identity
  address text not null
  created_at timestamp with time zone not null default now()
  constraint wallets_pkey PRIMARY KEY (id)
  constraint wallets_address_key UNIQUE (address)
  grant select to api
  grant delete, insert, select, update to ingest

table webhook_endpoints
  id uuid not null
  account_id uuid not null
  url text not null
  types text[] not null
  options jsonb not null default '{}'::jsonb
  state text not null default 'new'::text
  reason text
  key_id text not null
  wrapped_key bytea not null
  ciphertext bytea not null
  previous_key_id text
  previous_wrapped_key bytea
  previous_ciphertext bytea
  previous_until timestamp with time zone
  failing_since timestamp with time zone
  next_probe_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  failures integer not null default 0
  constraint webhook_endpoints_check CHECK ((num_nonnulls(previous_key_id, previous_wrapped_key, previous_ciphertext, previous_until) = ANY (ARRAY[0, 4])))
  constraint webhook_endpoints_state_check CHECK ((state = ANY (ARRAY['new'::text, 'active'::text, 'backing_off'::text, 'paused'::text, 'disabled'::text])))
  constraint webhook_endpoints_types_check CHECK ((cardinality(types) > 0))
  constraint webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
  constraint webhook_endpoints_pkey PRIMARY KEY (id)
  CREATE INDEX webhook_endpoints_of_account ON public.webhook_endpoints USING btree (account_id, created_at)
  CREATE INDEX webhook_endpoints_probed ON public.webhook_endpoints USING btree (next_probe_at) WHERE (failures >= 5)
  grant select, update to ingest

table as_of.books
  id bigint
  wallet_id bigint
  network_id text
  connection_id uuid
  portfolio_id uuid
  grant select to api
  as
 SELECT id,
    wallet_id,
    network_id,
    connection_id,
    portfolio_id
   FROM ( SELECT books.id,
            books.wallet_id,
            books.network_id,
            books.connection_id,
            books.portfolio_id,
            books.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM books
        UNION ALL
         SELECT books.id,
            books.wallet_id,
            books.network_id,
            books.connection_id,
            books.portfolio_id,
            books.recorded_at,
            books.replaced_at
           FROM past.books) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.coin_contracts
  blockchain text
  address text
  coin_id text
  grant select to api
  as
 SELECT blockchain,
    address,
    coin_id
   FROM ( SELECT coin_contracts.blockchain,
            coin_contracts.address,
            coin_contracts.coin_id,
            coin_contracts.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM coin_contracts
        UNION ALL
         SELECT coin_contracts.blockchain,
            coin_contracts.address,
            coin_contracts.coin_id,
            coin_contracts.recorded_at,
            coin_contracts.replaced_at
           FROM past.coin_contracts) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.coin_fold_days
  fold_id bigint
  coin_id text
  month timestamp with time zone
  held numeric
  days jsonb
  grant select to api
  as
 SELECT fold_id,
    coin_id,
    month,
    held,
    days
   FROM ( SELECT coin_fold_days.fold_id,
            coin_fold_days.coin_id,
            coin_fold_days.month,
            coin_fold_days.held,
            coin_fold_days.days,
            coin_fold_days.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM coin_fold_days
        UNION ALL
         SELECT coin_fold_days.fold_id,
            coin_fold_days.coin_id,
            coin_fold_days.month,
            coin_fold_days.held,
            coin_fold_days.days,
            coin_fold_days.recorded_at,
            coin_fold_days.replaced_at
           FROM past.coin_fold_days) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND month <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone + '1 day'::interval)) AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.coin_folds
  fold_id bigint
  coin_id text
  month timestamp with time zone
  quantity numeric
  acquired_quantity numeric
  disposed_quantity numeric
  sold_quantity numeric
  uncovered numeric
  last_side text
  last_quantity numeric
  cost_usd numeric
  acquired_usd numeric
  disposed_usd numeric
  disposed_cost_usd numeric
  sold_usd numeric
  last_usd numeric
  cost_btc numeric
  acquired_btc numeric
  disposed_btc numeric
  disposed_cost_btc numeric
  sold_btc numeric
  last_btc numeric
  cost_eth numeric
  acquired_eth numeric
  disposed_eth numeric
  disposed_cost_eth numeric
  sold_eth numeric
  last_eth numeric
  unvalued_quantity numeric
  paid_usd numeric
  grant select to api
  as
 SELECT fold_id,
    coin_id,
    month,
    quantity,
    acquired_quantity,
    disposed_quantity,
    sold_quantity,
    uncovered,
    last_side,
    last_quantity,
    cost_usd,
    acquired_usd,
    disposed_usd,
    disposed_cost_usd,
    sold_usd,
    last_usd,
    cost_btc,
    acquired_btc,
    disposed_btc,
    disposed_cost_btc,
    sold_btc,
    last_btc,
    cost_eth,
    acquired_eth,
    disposed_eth,
    disposed_cost_eth,
    sold_eth,
    last_eth,
    unvalued_quantity,
    paid_usd
   FROM ( SELECT coin_folds.fold_id,
            coin_folds.coin_id,
            coin_folds.month,
            coin_folds.quantity,
            coin_folds.acquired_quantity,
            coin_folds.disposed_quantity,
            coin_folds.sold_quantity,
            coin_folds.uncovered,
            coin_folds.last_side,
            coin_folds.last_quantity,
            coin_folds.cost_usd,
            coin_folds.acquired_usd,
            coin_folds.disposed_usd,
            coin_folds.disposed_cost_usd,
            coin_folds.sold_usd,
            coin_folds.last_usd,
            coin_folds.cost_btc,
            coin_folds.acquired_btc,
            coin_folds.disposed_btc,
            coin_folds.disposed_cost_btc,
            coin_folds.sold_btc,
            coin_folds.last_btc,
            coin_folds.cost_eth,
            coin_folds.acquired_eth,
            coin_folds.disposed_eth,
            coin_folds.disposed_cost_eth,
            coin_folds.sold_eth,
            coin_folds.last_eth,
            coin_folds.unvalued_quantity,
            coin_folds.paid_usd,
            coin_folds.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM coin_folds
        UNION ALL
         SELECT coin_folds.fold_id,
            coin_folds.coin_id,
            coin_folds.month,
            coin_folds.quantity,
            coin_folds.acquired_quantity,
            coin_folds.disposed_quantity,
            coin_folds.sold_quantity,
            coin_folds.uncovered,
            coin_folds.last_side,
            coin_folds.last_quantity,
            coin_folds.cost_usd,
            coin_folds.acquired_usd,
            coin_folds.disposed_usd,
            coin_folds.disposed_cost_usd,
            coin_folds.sold_usd,
            coin_folds.last_usd,
            coin_folds.cost_btc,
            coin_folds.acquired_btc,
            coin_folds.disposed_btc,
            coin_folds.disposed_cost_btc,
            coin_folds.sold_btc,
            coin_folds.last_btc,
            coin_folds.cost_eth,
            coin_folds.acquired_eth,
            coin_folds.disposed_eth,
            coin_folds.disposed_cost_eth,
            coin_folds.sold_eth,
            coin_folds.last_eth,
            coin_folds.unvalued_quantity,
            coin_folds.paid_usd,
            coin_folds.recorded_at,
            coin_folds.replaced_at
           FROM past.coin_folds) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND month <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone + '1 day'::interval)) AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.coin_moves
  fold_id bigint
  at timestamp with time zone
  seq integer
  coin_id text
  quantity numeric
  is_trade boolean
  amount_usd numeric
  amount_btc numeric
  amount_eth numeric
  market_usd numeric
  market_btc numeric
  market_eth numeric
  paid_usd numeric
  grant select to api
  as
 SELECT fold_id,
    at,
    seq,
    coin_id,
    quantity,
    is_trade,
    amount_usd,
    amount_btc,
    amount_eth,
    market_usd,
    market_btc,
    market_eth,
    paid_usd
   FROM ( SELECT coin_moves.fold_id,
            coin_moves.at,
            coin_moves.seq,
            coin_moves.coin_id,
            coin_moves.quantity,
            coin_moves.is_trade,
            coin_moves.amount_usd,
            coin_moves.amount_btc,
            coin_moves.amount_eth,
            coin_moves.market_usd,
            coin_moves.market_btc,
            coin_moves.market_eth,
            coin_moves.paid_usd,
            coin_moves.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM coin_moves
        UNION ALL
         SELECT coin_moves.fold_id,
            coin_moves.at,
            coin_moves.seq,
            coin_moves.coin_id,
            coin_moves.quantity,
            coin_moves.is_trade,
            coin_moves.amount_usd,
            coin_moves.amount_btc,
            coin_moves.amount_eth,
            coin_moves.market_usd,
            coin_moves.market_btc,
            coin_moves.market_eth,
            coin_moves.paid_usd,
            coin_moves.recorded_at,
            coin_moves.replaced_at
           FROM past.coin_moves) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone + '1 day'::interval)) AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.coin_quotes
  coin_id text
  price_usd numeric
  volume_24h_usd numeric
  price_change_1h numeric
  price_change_1d numeric
  price_change_1w numeric
  price_change_1m numeric
  at timestamp with time zone
  grant select to api
  as
 SELECT coin_id,
    price_usd,
    volume_24h_usd,
    price_change_1h,
    price_change_1d,
    price_change_1w,
    price_change_1m,
    at
   FROM ( SELECT coin_quotes.coin_id,
            coin_quotes.price_usd,
            coin_quotes.volume_24h_usd,
            coin_quotes.price_change_1h,
            coin_quotes.price_change_1d,
            coin_quotes.price_change_1w,
            coin_quotes.price_change_1m,
            coin_quotes.at,
            coin_quotes.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM coin_quotes
        UNION ALL
         SELECT coin_quotes.coin_id,
            coin_quotes.price_usd,
            coin_quotes.volume_24h_usd,
            coin_quotes.price_change_1h,
            coin_quotes.price_change_1d,
            coin_quotes.price_change_1w,
            coin_quotes.price_change_1m,
            coin_quotes.at,
            coin_quotes.recorded_at,
            coin_quotes.replaced_at
           FROM past.coin_quotes) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.coin_risks
  coin_id text
  liquidity_score numeric
  volatility_score numeric
  market_cap_score numeric
  risk_score numeric
  avg_change numeric
  grant select to api
  as
 SELECT coin_id,
    liquidity_score,
    volatility_score,
    market_cap_score,
    risk_score,
    avg_change
   FROM ( SELECT coin_risks.coin_id,
            coin_risks.liquidity_score,
            coin_risks.volatility_score,
            coin_risks.market_cap_score,
            coin_risks.risk_score,
            coin_risks.avg_change,
            coin_risks.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM coin_risks
        UNION ALL
         SELECT coin_risks.coin_id,
            coin_risks.liquidity_score,
            coin_risks.volatility_score,
            coin_risks.market_cap_score,
            coin_risks.risk_score,
            coin_risks.avg_change,
            coin_risks.recorded_at,
            coin_risks.replaced_at
           FROM past.coin_risks) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.coins
  id text
  symbol text
  name text
  icon text
  rank integer
  grant select to api
  as
 SELECT id,
    symbol,
    name,
    icon,
    rank
   FROM ( SELECT coins.id,
            coins.symbol,
            coins.name,
            coins.icon,
            coins.rank,
            coins.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM coins
        UNION ALL
         SELECT coins.id,
            coins.symbol,
            coins.name,
            coins.icon,
            coins.rank,
            coins.recorded_at,
            coins.replaced_at
           FROM past.coins) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.defi_assets
  wallet_id bigint
  network_id text
  protocol_id text
  position_id text
  seq integer
  role text
  token_address text
  raw numeric(78,0)
  apr_percent numeric
  grant select to api
  as
 SELECT wallet_id,
    network_id,
    protocol_id,
    position_id,
    seq,
    role,
    token_address,
    raw,
    apr_percent
   FROM ( SELECT defi_assets.wallet_id,
            defi_assets.network_id,
            defi_assets.protocol_id,
            defi_assets.position_id,
            defi_assets.seq,
            defi_assets.role,
            defi_assets.token_address,
            defi_assets.raw,
            defi_assets.apr_percent,
            defi_assets.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM defi_assets
        UNION ALL
         SELECT defi_assets.wallet_id,
            defi_assets.network_id,
            defi_assets.protocol_id,
            defi_assets.position_id,
            defi_assets.seq,
            defi_assets.role,
            defi_assets.token_address,
            defi_assets.raw,
            defi_assets.apr_percent,
            defi_assets.recorded_at,
            defi_assets.replaced_at
           FROM past.defi_assets) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.defi_positions
  wallet_id bigint
  network_id text
  protocol_id text
  id text
  name text
  pool_address text
  health_rate numeric
  unlock_at timestamp with time zone
  end_at timestamp with time zone
  is_proxy boolean
  grant select to api
  as
 SELECT wallet_id,
    network_id,
    protocol_id,
    id,
    name,
    pool_address,
    health_rate,
    unlock_at,
    end_at,
    is_proxy
   FROM ( SELECT defi_positions.wallet_id,
            defi_positions.network_id,
            defi_positions.protocol_id,
            defi_positions.id,
            defi_positions.name,
            defi_positions.pool_address,
            defi_positions.health_rate,
            defi_positions.unlock_at,
            defi_positions.end_at,
            defi_positions.is_proxy,
            defi_positions.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM defi_positions
        UNION ALL
         SELECT defi_positions.wallet_id,
            defi_positions.network_id,
            defi_positions.protocol_id,
            defi_positions.id,
            defi_positions.name,
            defi_positions.pool_address,
            defi_positions.health_rate,
            defi_positions.unlock_at,
            defi_positions.end_at,
            defi_positions.is_proxy,
            defi_positions.recorded_at,
            defi_positions.replaced_at
           FROM past.defi_positions) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.exchange_connections
  id uuid
  venue text
  synced_at timestamp with time zone
  covered_to timestamp with time zone
  grant select to api
  as
 SELECT id,
    venue,
    synced_at,
    covered_to
   FROM ( SELECT exchange_connections.id,
            exchange_connections.venue,
            exchange_connections.synced_at,
            exchange_connections.covered_to,
            exchange_connections.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM exchange_connections
        UNION ALL
         SELECT exchange_connections.id,
            exchange_connections.venue,
            exchange_connections.synced_at,
            exchange_connections.covered_to,
            exchange_connections.recorded_at,
            exchange_connections.replaced_at
           FROM past.exchange_connections) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.folds
  id bigint
  scope_id bigint
  method text
  folded_at timestamp with time zone
  grant select to api
  as
 SELECT id,
    scope_id,
    method,
    folded_at
   FROM ( SELECT folds.id,
            folds.scope_id,
            folds.method,
            folds.folded_at,
            folds.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM folds
        UNION ALL
         SELECT folds.id,
            folds.scope_id,
            folds.method,
            folds.folded_at,
            folds.recorded_at,
            folds.replaced_at
           FROM past.folds) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.fx_rates
  currency text
  at timestamp with time zone
  per_usd numeric
  source text
  grant select to api
  as
 SELECT currency,
    at,
    per_usd,
    source
   FROM ( SELECT fx_rates.currency,
            fx_rates.at,
            fx_rates.per_usd,
            fx_rates.source,
            fx_rates.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM fx_rates
        UNION ALL
         SELECT fx_rates.currency,
            fx_rates.at,
            fx_rates.per_usd,
            fx_rates.source,
            fx_rates.recorded_at,
            fx_rates.replaced_at
           FROM past.fx_rates) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.portfolio_books
  portfolio_id uuid
  account_id uuid
  cost_method text
  book_id bigint
  grant select to api
  as
 SELECT p.id AS portfolio_id,
    p.account_id,
    p.cost_method,
    b.id AS book_id
   FROM as_of.portfolios p
     JOIN as_of.books b ON b.portfolio_id = p.id
UNION ALL
 SELECT p.id AS portfolio_id,
    p.account_id,
    p.cost_method,
    b.id AS book_id
   FROM as_of.portfolios p
     JOIN as_of.books b ON b.connection_id = p.id
UNION ALL
 SELECT p.id AS portfolio_id,
    p.account_id,
    p.cost_method,
    b.id AS book_id
   FROM as_of.portfolios p
     JOIN wallets w ON w.address = p.address
     JOIN as_of.books b ON b.wallet_id = w.id AND b.network_id = p.network_id

table as_of.portfolio_snapshots
  portfolio_id uuid
  at timestamp with time zone
  coin_ids text[]
  quantities numeric[]
  prices_usd numeric[]
  grant select to api
  as
 SELECT portfolio_id,
    at,
    coin_ids,
    quantities,
    prices_usd
   FROM ( SELECT portfolio_snapshots.portfolio_id,
            portfolio_snapshots.at,
            portfolio_snapshots.coin_ids,
            portfolio_snapshots.quantities,
            portfolio_snapshots.prices_usd,
            portfolio_snapshots.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM portfolio_snapshots
        UNION ALL
         SELECT portfolio_snapshots.portfolio_id,
            portfolio_snapshots.at,
            portfolio_snapshots.coin_ids,
            portfolio_snapshots.quantities,
            portfolio_snapshots.prices_usd,
            portfolio_snapshots.recorded_at,
            portfolio_snapshots.replaced_at
           FROM past.portfolio_snapshots) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.portfolios
  id uuid
  account_id uuid
  kind text
  name text
  address text
  network_id text
  cost_method text
  created_at timestamp with time zone
  grant select to api
  as
 SELECT id,
    account_id,
    kind,
    name,
    address,
    network_id,
    cost_method,
    created_at
   FROM ( SELECT portfolios.id,
            portfolios.account_id,
            portfolios.kind,
            portfolios.name,
            portfolios.address,
            portfolios.network_id,
            portfolios.cost_method,
            portfolios.created_at,
            portfolios.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM portfolios
        UNION ALL
         SELECT portfolios.id,
            portfolios.account_id,
            portfolios.kind,
            portfolios.name,
            portfolios.address,
            portfolios.network_id,
            portfolios.cost_method,
            portfolios.created_at,
            portfolios.recorded_at,
            portfolios.replaced_at
           FROM past.portfolios) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.price_days
  coin_id text
  at timestamp with time zone
  usd numeric
  source text
  grant select to api
  as
 SELECT coin_id,
    at,
    usd,
    source
   FROM ( SELECT price_days.coin_id,
            price_days.at,
            price_days.usd,
            price_days.source,
            price_days.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM price_days
        UNION ALL
         SELECT price_days.coin_id,
            price_days.at,
            price_days.usd,
            price_days.source,
            price_days.recorded_at,
            price_days.replaced_at
           FROM past.price_days) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.price_hours
  coin_id text
  at timestamp with time zone
  usd numeric
  source text
  grant select to api
  as
 SELECT coin_id,
    at,
    usd,
    source
   FROM ( SELECT price_hours.coin_id,
            price_hours.at,
            price_hours.usd,
            price_hours.source,
            price_hours.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM price_hours
        UNION ALL
         SELECT price_hours.coin_id,
            price_hours.at,
            price_hours.usd,
            price_hours.source,
            price_hours.recorded_at,
            price_hours.replaced_at
           FROM past.price_hours) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.scopes
  id bigint
  book_id bigint
  wallet_id bigint
  account_id uuid
  grant select to api
  as
 SELECT id,
    book_id,
    wallet_id,
    account_id
   FROM ( SELECT scopes.id,
            scopes.book_id,
            scopes.wallet_id,
            scopes.account_id,
            scopes.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM scopes
        UNION ALL
         SELECT scopes.id,
            scopes.book_id,
            scopes.wallet_id,
            scopes.account_id,
            scopes.recorded_at,
            scopes.replaced_at
           FROM past.scopes) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.tokens
  network_id text
  address text
  symbol text
  decimals smallint
  coin_id text
  spam_reason text
  name text
  grant select to api
  as
 SELECT network_id,
    address,
    symbol,
    decimals,
    coin_id,
    spam_reason,
    name
   FROM ( SELECT tokens.network_id,
            tokens.address,
            tokens.symbol,
            tokens.decimals,
            tokens.coin_id,
            tokens.spam_reason,
            tokens.name,
            tokens.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM tokens
        UNION ALL
         SELECT tokens.network_id,
            tokens.address,
            tokens.symbol,
            tokens.decimals,
            tokens.coin_id,
            tokens.spam_reason,
            tokens.name,
            tokens.recorded_at,
            tokens.replaced_at
           FROM past.tokens) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table as_of.uncomputed_figures
  book_id bigint
  portfolio_id uuid
  account_id uuid
  grant select to api
  as
 SELECT NULL::bigint AS book_id,
    NULL::uuid AS portfolio_id,
    NULL::uuid AS account_id
  WHERE false

table as_of.wallet_coverage
  wallet_id bigint
  network_id text
  synced_at timestamp with time zone
  state text
  message text
  followed boolean
  verified_at timestamp with time zone
  grant select to api
  as
 SELECT wallet_id,
    network_id,
    synced_at,
        CASE
            WHEN synced_at IS NULL THEN 'syncing'::text
            ELSE 'synced'::text
        END AS state,
    NULL::text AS message,
    false AS followed,
    synced_at AS verified_at
   FROM as_of.wallet_syncs

table as_of.wallet_syncs
  wallet_id bigint
  network_id text
  synced_at timestamp with time zone
  grant select to api
  as
 SELECT wallet_id,
    network_id,
    synced_at
   FROM ( SELECT wallet_syncs.wallet_id,
            wallet_syncs.network_id,
            wallet_syncs.synced_at,
            wallet_syncs.recorded_at,
            'infinity'::timestamp with time zone AS replaced_at
           FROM wallet_syncs
        UNION ALL
         SELECT wallet_syncs.wallet_id,
            wallet_syncs.network_id,
            wallet_syncs.synced_at,
            wallet_syncs.recorded_at,
            wallet_syncs.replaced_at
           FROM past.wallet_syncs) version
  WHERE recorded_at <= (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) AND (recorded_at <> ALL ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])) AND true AND replaced_at >= (( SELECT current_setting('sluice.as_of_since'::text)::timestamp with time zone AS current_setting)) AND (replaced_at > (( SELECT current_setting('sluice.as_of'::text)::timestamp with time zone AS current_setting)) OR (replaced_at = ANY ((( SELECT current_setting('sluice.as_of_unseen'::text)::timestamp with time zone[] AS current_setting))::timestamp with time zone[])))

table operations.account_keys
  account_id uuid
  prefix text
  name text
  read_only boolean
  opens text[]
  created_at timestamp with time zone
  expires_at timestamp with time zone
  revoked_at timestamp with time zone
  grant select to console
  as
 SELECT account_id,
    prefix,
    name,
    read_only,
    opens,
    created_at,
    expires_at,
    revoked_at
   FROM api_keys

table operations.accounts
  id uuid
  name text
  plan text
  created_at timestamp with time zone
  degen boolean
  credits_per_month bigint
  requests_per_second integer
  granted bigint
  posted bigint
  ends_at timestamp with time zone
  grant select to console
  as
 SELECT a.id,
    a.name,
    a.plan,
    a.created_at,
    a.degen,
    COALESCE(a.credits_per_month, p.credits_per_month) AS credits_per_month,
    COALESCE(a.requests_per_second, p.requests_per_second) AS requests_per_second,
    c.granted,
    c.posted,
    c.ends_at
   FROM accounts a
     JOIN plans p ON p.id = a.plan
     LEFT JOIN credit_periods c ON c.account_id = a.id AND c.is_open
  WHERE a.name <> 'closed'::text

table operations.backups
  backup_at timestamp with time zone
  checked_at timestamp with time zone
  operator text
  note text
  archives boolean
  last_archived_at timestamp with time zone
  archive_failures bigint
  last_archive_failure_at timestamp with time zone
  grant select to console
  as
 SELECT last.backup_at,
    last.checked_at,
    last.operator,
    last.note,
    current_setting('archive_mode'::text) <> 'off'::text AS archives,
    a.last_archived_time AS last_archived_at,
    a.failed_count AS archive_failures,
    a.last_failed_time AS last_archive_failure_at
   FROM pg_stat_archiver a
     LEFT JOIN ( SELECT restore_checks.id,
            restore_checks.backup_at,
            restore_checks.checked_at,
            restore_checks.operator,
            restore_checks.note
           FROM restore_checks
          ORDER BY restore_checks.checked_at DESC, restore_checks.id DESC
         LIMIT 1) last ON true

table operations.customers
  id uuid
  name text
  plan text
  calls bigint
  credits bigint
  granted bigint
  posted bigint
  grant select to console
  as
 SELECT a.id,
    a.name,
    a.plan,
    used.calls,
    used.credits,
    c.granted,
    c.posted
   FROM accounts a
     JOIN ( SELECT usage_days.account_id,
            sum(usage_days.calls)::bigint AS calls,
            sum(usage_days.credits)::bigint AS credits
           FROM usage_days
          WHERE usage_days.day > ((now() AT TIME ZONE 'UTC'::text)::date - 30)
          GROUP BY usage_days.account_id) used ON used.account_id = a.id
     LEFT JOIN credit_periods c ON c.account_id = a.id AND c.is_open

table operations.follows
  network_id text
  mode text
  method text
  cursor_block bigint
  head_block bigint
  confirmed_block bigint
  cursor_at timestamp with time zone
  advanced_at timestamp with time zone
  reason text
  tick_ms integer
  method_reason text
  node text
  held_until timestamp with time zone
  rewinds_24h integer
  disagreements integer
  grant select to console
  as
 SELECT f.network_id,
    f.mode,
    f.method,
    f.cursor_block,
    f.head_block,
    f.confirmed_block,
    f.cursor_at,
    f.advanced_at,
    f.reason,
    f.tick_ms,
    f.method_reason,
    f.node,
        CASE
            WHEN f.held_until > now() THEN f.held_until
            ELSE NULL::timestamp with time zone
        END AS held_until,
    ( SELECT count(*)::integer AS count
           FROM network_rewinds r
          WHERE r.network_id = f.network_id AND r.at > (now() - '24:00:00'::interval)) AS rewinds_24h,
    ( SELECT count(*)::integer AS count
           FROM quarantine q
          WHERE q.source = ('rpc:'::text || f.network_id) AND q.reason ~~ '%: two nodes have different logs'::text) AS disagreements
   FROM network_follows f
     JOIN networks n ON n.id = f.network_id
  ORDER BY n."position"

table operations.incidents
  id bigint
  rule text
  subject text
  severity text
  summary text
  fired_at timestamp with time zone
  acknowledged_by text
  silenced_until timestamp with time zone
  told text[]
  failures text[]
  grant select to console
  as
 SELECT id,
    rule,
    subject,
    severity,
    summary,
    fired_at,
    acknowledged_by,
    ( SELECT max(s.until) AS max
           FROM incident_silences s
          WHERE s.rule = i.rule AND COALESCE(s.subject = i.subject, true) AND s.until > now()) AS silenced_until,
    ARRAY( SELECT n.receiver
           FROM incident_notices n
          WHERE n.incident_id = i.id AND n.state = 'firing'::text AND n.sent_at IS NOT NULL
          ORDER BY n.receiver) AS told,
    ARRAY( SELECT (n.receiver || ': '::text) || n.failure
           FROM incident_notices n
          WHERE n.incident_id = i.id AND n.failure IS NOT NULL
          ORDER BY ((n.receiver || ': '::text) || n.failure)) AS failures
   FROM incidents i
  WHERE fired_at IS NOT NULL AND resolved_at IS NULL

table operations.migrations
  name character varying(255)
  applied_at timestamp with time zone
  grant select to console
  as
 SELECT name,
    "timestamp"::timestamp with time zone AS applied_at
   FROM kysely_migration

table operations.node_usage
  network_id text
  account text
  requests_today double precision
  units_today double precision
  account_today double precision
  account_this_month double precision
  allowance double precision
  allowance_per text
  grant select to console
  as
 WITH spent AS (
         SELECT source_usage.source,
            source_usage.account,
            sum(source_usage.requests) AS requests,
            sum(source_usage.units) AS units
           FROM source_usage
          WHERE source_usage.day = date_trunc('day'::text, now(), 'UTC'::text) AND source_usage.source ~~ 'rpc:%'::text
          GROUP BY source_usage.source, source_usage.account
        ), accounts AS (
         SELECT source_usage.account,
            sum(source_usage.units) FILTER (WHERE source_usage.day = date_trunc('day'::text, now(), 'UTC'::text)) AS today,
            sum(source_usage.units) AS this_month
           FROM source_usage
          WHERE source_usage.day >= date_trunc('month'::text, now(), 'UTC'::text)
          GROUP BY source_usage.account
        ), allowed AS (
         SELECT DISTINCT ON (sources.account) sources.account,
            sources.quota,
            sources.quota_per
           FROM sources
          WHERE sources.account IS NOT NULL AND sources.quota IS NOT NULL
          ORDER BY sources.account, sources.name
        )
 SELECT substr(spent.source, 5) AS network_id,
    spent.account,
    spent.requests::double precision AS requests_today,
    spent.units::double precision AS units_today,
    accounts.today::double precision AS account_today,
    accounts.this_month::double precision AS account_this_month,
    allowed.quota::double precision AS allowance,
    allowed.quota_per AS allowance_per
   FROM spent
     JOIN accounts USING (account)
     LEFT JOIN allowed USING (account)

table operations.open_payments
  id uuid
  state text
  amount bigint
  claimed_at timestamp with time zone
  settles integer
  last_error text
  grant select to console
  as
 SELECT id,
    state,
    amount,
    claimed_at,
    settles,
    last_error
   FROM payments p
  WHERE state = ANY (ARRAY['claimed'::text, 'settling'::text, 'unknown'::text])

table operations.operator_actions
  id bigint
  at timestamp with time zone
  operator text
  action text
  subject text
  grant select to console
  as
 SELECT id,
    at,
    operator,
    action,
    subject
   FROM operator_actions

table operations.operators
  issuer text
  subject text
  created_at timestamp with time zone
  grant select to console
  as
 SELECT issuer,
    subject,
    created_at
   FROM operators

table operations.payment_days
  day date
  state text
  payments integer
  amount numeric
  grant select to console
  as
 SELECT (claimed_at AT TIME ZONE 'UTC'::text)::date AS day,
    state,
    count(*)::integer AS payments,
    sum(amount) AS amount
   FROM payments p
  WHERE id >= (( SELECT uuidv7('-31 days'::interval) AS uuidv7)) AND (claimed_at AT TIME ZONE 'UTC'::text)::date > ((now() AT TIME ZONE 'UTC'::text)::date - 30)
  GROUP BY ((claimed_at AT TIME ZONE 'UTC'::text)::date), state

table operations.payments
  id uuid
  state text
  amount bigint
  claimed_at timestamp with time zone
  settled_at timestamp with time zone
  transaction text
  last_error text
  notes text[]
  grant select to console
  as
 SELECT id,
    state,
    amount,
    claimed_at,
    settled_at,
    transaction,
    last_error,
    ARRAY( SELECT ((((n.note || ' ('::text) || n.operator) || ', '::text) || to_char((n.at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD'::text)) || ')'::text
           FROM payment_notes n
          WHERE n.payment_id = p.id
          ORDER BY n.id) AS notes
   FROM payments p

table operations.quarantine
  with security_barrier=true
  id bigint
  source text
  area text
  reason text
  payload jsonb
  fetched_at timestamp with time zone
  activity text
  retry_state text
  retry_at timestamp with time zone
  retry_failure text
  grant select to console
  as
 SELECT id,
    source,
    area,
    reason,
    payload,
    fetched_at,
    activity,
    retry_state,
    retry_at,
    retry_failure
   FROM quarantine q
  WHERE area <> 'exchanges'::text

table operations.quarantine_reasons
  source text
  area text
  reason text
  rows integer
  newest_at timestamp with time zone
  grant select to console
  as
 SELECT source,
    area,
        CASE
            WHEN area <> 'exchanges'::text THEN reason
            ELSE NULL::text
        END AS reason,
    count(*)::integer AS rows,
    max(fetched_at) AS newest_at
   FROM quarantine q
  GROUP BY source, area, (
        CASE
            WHEN area <> 'exchanges'::text THEN reason
            ELSE NULL::text
        END)

table operations.queue
  commands integer
  oldest_command_at timestamp with time zone
  wallets integer
  wallets_begun integer
  wallets_failed integer
  oldest_wallet_at timestamp with time zone
  exchanges integer
  exchanges_begun integer
  exchanges_failed integer
  oldest_exchange_at timestamp with time zone
  wallets_with_gaps integer
  gap_reason text
  coins_with_gaps integer
  price_gap_reason text
  grant select to console
  as
 SELECT o.commands,
    o.oldest_command_at,
    w.wallets,
    w.wallets_begun,
    w.wallets_failed,
    w.oldest_wallet_at,
    e.exchanges,
    e.exchanges_begun,
    e.exchanges_failed,
    e.oldest_exchange_at,
    w.wallets_with_gaps,
    w.gap_reason,
    p.coins_with_gaps,
    p.price_gap_reason
   FROM ( SELECT count(*)::integer AS commands,
            min(outbox.created_at) AS oldest_command_at
           FROM outbox
          WHERE outbox.dispatched_at IS NULL) o,
    ( SELECT count(*)::integer AS wallets,
            count(*) FILTER (WHERE coverage.synced_at IS NULL AND wallet_syncs.failed_at IS NULL)::integer AS wallets_begun,
            count(*) FILTER (WHERE wallet_syncs.failed_at > COALESCE(coverage.synced_at, '-infinity'::timestamp with time zone))::integer AS wallets_failed,
            min(coverage.synced_at) AS oldest_wallet_at,
            count(wallet_syncs.gap_from)::integer AS wallets_with_gaps,
            mode() WITHIN GROUP (ORDER BY wallet_syncs.gap_reason) AS gap_reason
           FROM wallet_syncs
             JOIN wallet_coverage coverage USING (wallet_id, network_id)) w,
    ( SELECT count(*)::integer AS exchanges,
            count(*) FILTER (WHERE exchange_connections.synced_at IS NULL AND exchange_connections.failed_at IS NULL)::integer AS exchanges_begun,
            count(*) FILTER (WHERE exchange_connections.failed_at > COALESCE(exchange_connections.synced_at, '-infinity'::timestamp with time zone))::integer AS exchanges_failed,
            min(exchange_connections.synced_at) AS oldest_exchange_at
           FROM exchange_connections) e,
    ( SELECT count(DISTINCT price_histories.coin_id)::integer AS coins_with_gaps,
            mode() WITHIN GROUP (ORDER BY price_histories.floor_reason) AS price_gap_reason
           FROM price_histories
          WHERE price_histories.floor_reason IS NOT NULL) p

table operations.silences
  id bigint
  rule text
  subject text
  until timestamp with time zone
  reason text
  created_by text
  grant select to console
  as
 SELECT id,
    rule,
    subject,
    until,
    reason,
    created_by
   FROM incident_silences
  WHERE until > now()

table operations.source_changes
  source text
  operation text
  field text
  change text
  was text
  is text
  answers integer
  since timestamp with time zone
  last_at timestamp with time zone
  grant select to console
  grant select to ingest
  as
 SELECT s.source,
    s.operation,
    c.value ->> 'field'::text AS field,
    c.value ->> 'change'::text AS change,
    c.value ->> 'was'::text AS was,
    c.value ->> 'is'::text AS "is",
    (c.value ->> 'seen'::text)::integer AS answers,
    (c.value ->> 'driftedAt'::text)::timestamp with time zone AS since,
    (c.value ->> 'lastAt'::text)::timestamp with time zone AS last_at
   FROM source_shapes s
     CROSS JOIN LATERAL jsonb_array_elements(s.changes) c(value)
  WHERE (c.value ->> 'driftedAt'::text) IS NOT NULL

table operations.source_health
  source text
  last_success_at timestamp with time zone
  last_failure_at timestamp with time zone
  last_failure text
  consecutive_failures integer
  next_request_at timestamp with time zone
  requests_24h integer
  failures_24h integer
  requests_today integer
  requests_this_month integer
  requests_by_hour integer[]
  failures_by_hour integer[]
  quarantined integer
  spent_today double precision
  spent_this_month double precision
  data_age_s double precision
  grant select to console
  grant select to ingest
  as
 SELECT s.source,
    s.last_success_at,
    s.last_failure_at,
    s.last_failure,
    s.consecutive_failures,
    NULLIF(s.next_request_at, '-infinity'::timestamp with time zone) AS next_request_at,
    used.requests_24h,
    used.failures_24h,
    used.requests_today,
    used.requests_this_month,
    hours.requests_by_hour,
    hours.failures_by_hour,
    ( SELECT count(*)::integer AS count
           FROM quarantine q
          WHERE q.source = s.source) AS quarantined,
    COALESCE(shared.today, used.requests_today::numeric)::double precision AS spent_today,
    COALESCE(shared.this_month, used.requests_this_month::numeric)::double precision AS spent_this_month,
    s.data_age_s
   FROM source_states s
     CROSS JOIN LATERAL ( SELECT COALESCE(sum(h.requests) FILTER (WHERE h.hour > (now() - '24:00:00'::interval)), 0::bigint)::integer AS requests_24h,
            COALESCE(sum(h.failures) FILTER (WHERE h.hour > (now() - '24:00:00'::interval)), 0::bigint)::integer AS failures_24h,
            COALESCE(sum(h.requests) FILTER (WHERE h.hour >= date_trunc('day'::text, now(), 'UTC'::text)), 0::bigint)::integer AS requests_today,
            COALESCE(sum(h.requests) FILTER (WHERE h.hour >= date_trunc('month'::text, now(), 'UTC'::text)), 0::bigint)::integer AS requests_this_month
           FROM source_hours h
          WHERE h.source = s.source AND h.hour > (now() - '32 days'::interval)) used
     LEFT JOIN LATERAL ( SELECT COALESCE(sum(u.units) FILTER (WHERE u.day = date_trunc('day'::text, now(), 'UTC'::text)), 0::numeric) AS today,
            COALESCE(sum(u.units), 0::numeric) AS this_month
           FROM sources own
             LEFT JOIN source_usage u ON u.account = own.account AND u.day >= date_trunc('month'::text, now(), 'UTC'::text)
          WHERE own.name = s.source AND own.account IS NOT NULL
          GROUP BY own.name) shared ON true
     CROSS JOIN LATERAL ( SELECT array_agg(COALESCE(h.requests, 0) ORDER BY day.at) AS requests_by_hour,
            array_agg(COALESCE(h.failures, 0) ORDER BY day.at) AS failures_by_hour
           FROM generate_series(date_trunc('hour'::text, now(), 'UTC'::text) - '23:00:00'::interval, now(), '01:00:00'::interval) day(at)
             LEFT JOIN source_hours h ON h.hour = day.at AND h.source = s.source) hours

table operations.sources
  name text
  area text
  missing text
  freshness_target_s integer
  requests_per_second double precision
  burst integer
  quota double precision
  quota_per text
  unit text
  account text
  known boolean
  last_success_at timestamp with time zone
  last_failure_at timestamp with time zone
  last_failure text
  consecutive_failures integer
  next_request_at timestamp with time zone
  requests_24h integer
  failures_24h integer
  requests_today integer
  requests_this_month integer
  requests_by_hour integer[]
  failures_by_hour integer[]
  quarantined integer
  spent_today double precision
  spent_this_month double precision
  is_held boolean
  is_changed boolean
  data_age_s double precision
  grant select to console
  as
 SELECT s.name,
    s.area,
    s.missing,
    s.freshness_target_s,
    COALESCE(o.requests_per_second, s.requests_per_second) AS requests_per_second,
    COALESCE(o.burst, s.burst) AS burst,
    COALESCE(o.quota, s.quota)::double precision AS quota,
    COALESCE(o.quota_per, s.quota_per) AS quota_per,
    COALESCE(s.unit,
        CASE
            WHEN o.quota IS NOT NULL THEN 'requests'::text
            ELSE NULL::text
        END) AS unit,
    s.account,
    h.source IS NOT NULL AS known,
    h.last_success_at,
    h.last_failure_at,
    h.last_failure,
    h.consecutive_failures,
    h.next_request_at,
    h.requests_24h,
    h.failures_24h,
    h.requests_today,
    h.requests_this_month,
    h.requests_by_hour,
    h.failures_by_hour,
    h.quarantined,
    h.spent_today,
    h.spent_this_month,
    COALESCE(o.is_paused, false) AS is_held,
    COALESCE(o.requests_per_second, o.burst::double precision, o.quota::double precision) IS NOT NULL AS is_changed,
    h.data_age_s
   FROM sources s
     LEFT JOIN operations.source_health h ON h.source = s.name
     LEFT JOIN source_orders o ON o.source = s.name

table operations.usage
  day date
  endpoint text
  calls bigint
  credits bigint
  grant select to console
  as
 SELECT day,
    endpoint,
    sum(calls)::bigint AS calls,
    sum(credits)::bigint AS credits
   FROM usage_days u
  WHERE day > ((now() AT TIME ZONE 'UTC'::text)::date - 30)
  GROUP BY day, endpoint

table operations.users
  subject text
  name text
  created_at timestamp with time zone
  signed_in_at timestamp with time zone
  disabled_at timestamp with time zone
  has_password boolean
  invited_until timestamp with time zone
  account text
  sees_console boolean
  has_totp boolean
  grant select to console
  as
 SELECT u.subject,
    u.name,
    u.created_at,
    u.signed_in_at,
    u.disabled_at,
    u.password_hash IS NOT NULL AS has_password,
    i.expires_at AS invited_until,
    a.name AS account,
    (EXISTS ( SELECT
           FROM operators o
          WHERE o.subject = u.subject)) AS sees_console,
    (EXISTS ( SELECT
           FROM user_totp t
          WHERE t.user_subject = u.subject AND t.confirmed_at IS NOT NULL)) AS has_totp
   FROM users u
     LEFT JOIN user_invitations i ON i.user_subject = u.subject AND i.expires_at > now()
     LEFT JOIN identities l ON l.subject = u.subject
     LEFT JOIN accounts a ON a.id = l.account_id

table past.books
  id bigint
  wallet_id bigint
  network_id text
  connection_id uuid
  portfolio_id uuid
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX books_id_replaced_at_recorded_at_idx ON past.books USING btree (id, replaced_at, recorded_at)
  CREATE INDEX books_replaced_at_idx ON past.books USING brin (replaced_at)

table past.coin_contracts
  blockchain text
  address text
  coin_id text
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX coin_contracts_blockchain_address_replaced_at_recorded_at_idx ON past.coin_contracts USING btree (blockchain, address, replaced_at, recorded_at)
  CREATE INDEX coin_contracts_replaced_at_idx ON past.coin_contracts USING brin (replaced_at)

table past.coin_fold_days
  fold_id bigint
  coin_id text
  month timestamp with time zone
  held numeric
  days jsonb
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX coin_fold_days_fold_id_coin_id_month_replaced_at_recorded_a_idx ON past.coin_fold_days USING btree (fold_id, coin_id, month, replaced_at, recorded_at)
  CREATE INDEX coin_fold_days_replaced_at_idx ON past.coin_fold_days USING brin (replaced_at)

table past.coin_folds
  fold_id bigint
  coin_id text
  month timestamp with time zone
  quantity numeric
  acquired_quantity numeric
  disposed_quantity numeric
  sold_quantity numeric
  uncovered numeric
  last_side text
  last_quantity numeric
  cost_usd numeric
  acquired_usd numeric
  disposed_usd numeric
  disposed_cost_usd numeric
  sold_usd numeric
  last_usd numeric
  cost_btc numeric
  acquired_btc numeric
  disposed_btc numeric
  disposed_cost_btc numeric
  sold_btc numeric
  last_btc numeric
  cost_eth numeric
  acquired_eth numeric
  disposed_eth numeric
  disposed_cost_eth numeric
  sold_eth numeric
  last_eth numeric
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  unvalued_quantity numeric not null default 0
  paid_usd numeric not null default 0
  CREATE INDEX coin_folds_fold_id_coin_id_month_replaced_at_recorded_at_idx ON past.coin_folds USING btree (fold_id, coin_id, month, replaced_at, recorded_at)
  CREATE INDEX coin_folds_replaced_at_idx ON past.coin_folds USING brin (replaced_at)

table past.coin_moves
  fold_id bigint
  at timestamp with time zone
  seq integer
  coin_id text
  quantity numeric
  is_trade boolean
  amount_usd numeric
  amount_btc numeric
  amount_eth numeric
  market_usd numeric
  market_btc numeric
  market_eth numeric
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  paid_usd numeric not null default 0
  CREATE INDEX coin_moves_fold_id_at_seq_replaced_at_recorded_at_idx ON past.coin_moves USING btree (fold_id, at, seq, replaced_at, recorded_at)
  CREATE INDEX coin_moves_replaced_at_idx ON past.coin_moves USING brin (replaced_at)

table past.coin_quotes
  coin_id text
  price_usd numeric
  volume_24h_usd numeric
  price_change_1h numeric
  price_change_1d numeric
  price_change_1w numeric
  price_change_1m numeric
  at timestamp with time zone
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX coin_quotes_coin_id_replaced_at_recorded_at_idx ON past.coin_quotes USING btree (coin_id, replaced_at, recorded_at)
  CREATE INDEX coin_quotes_replaced_at_idx ON past.coin_quotes USING brin (replaced_at)

table past.coin_risks
  coin_id text
  liquidity_score numeric
  volatility_score numeric
  market_cap_score numeric
  risk_score numeric
  avg_change numeric
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX coin_risks_coin_id_replaced_at_recorded_at_idx ON past.coin_risks USING btree (coin_id, replaced_at, recorded_at)
  CREATE INDEX coin_risks_replaced_at_idx ON past.coin_risks USING brin (replaced_at)

table past.coins
  id text
  symbol text
  name text
  icon text
  rank integer
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX coins_id_replaced_at_recorded_at_idx ON past.coins USING btree (id, replaced_at, recorded_at)
  CREATE INDEX coins_replaced_at_idx ON past.coins USING brin (replaced_at)

table past.coins_held
  coin_id text not null
  CREATE INDEX coins_held_coin_id_idx ON past.coins_held USING btree (coin_id)

table past.defi_assets
  wallet_id bigint
  network_id text
  protocol_id text
  position_id text
  seq integer
  role text
  token_address text
  raw numeric(78,0)
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  apr_percent numeric
  CREATE INDEX defi_assets_replaced_at_idx ON past.defi_assets USING brin (replaced_at)
  CREATE INDEX defi_assets_wallet_id_network_id_protocol_id_position_id_se_idx ON past.defi_assets USING btree (wallet_id, network_id, protocol_id, position_id, seq, replaced_at, recorded_at)

table past.defi_positions
  wallet_id bigint
  network_id text
  protocol_id text
  id text
  name text
  pool_address text
  health_rate numeric
  unlock_at timestamp with time zone
  end_at timestamp with time zone
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  is_proxy boolean not null default false
  CREATE INDEX defi_positions_replaced_at_idx ON past.defi_positions USING brin (replaced_at)
  CREATE INDEX defi_positions_wallet_id_network_id_protocol_id_id_replaced_idx ON past.defi_positions USING btree (wallet_id, network_id, protocol_id, id, replaced_at, recorded_at)

table past.exchange_connections
  id uuid
  venue text
  synced_at timestamp with time zone
  covered_to timestamp with time zone
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX exchange_connections_id_replaced_at_recorded_at_idx ON past.exchange_connections USING btree (id, replaced_at, recorded_at)
  CREATE INDEX exchange_connections_replaced_at_idx ON past.exchange_connections USING brin (replaced_at)

table past.folds
  id bigint
  scope_id bigint
  method text
  folded_at timestamp with time zone
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX folds_id_replaced_at_recorded_at_idx ON past.folds USING btree (id, replaced_at, recorded_at)
  CREATE INDEX folds_replaced_at_idx ON past.folds USING brin (replaced_at)

table past.fx_rates
  currency text
  at timestamp with time zone
  per_usd numeric
  source text
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX fx_rates_currency_at_replaced_at_recorded_at_idx ON past.fx_rates USING btree (currency, at, replaced_at, recorded_at)
  CREATE INDEX fx_rates_replaced_at_idx ON past.fx_rates USING brin (replaced_at)

table past.kept
  from_at timestamp with time zone not null
  grant select to api

table past.portfolio_snapshots
  portfolio_id uuid
  at timestamp with time zone
  coin_ids text[]
  quantities numeric[]
  prices_usd numeric[]
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX portfolio_snapshots_portfolio_id_at_replaced_at_recorded_at_idx ON past.portfolio_snapshots USING btree (portfolio_id, at, replaced_at, recorded_at)
  CREATE INDEX portfolio_snapshots_replaced_at_idx ON past.portfolio_snapshots USING brin (replaced_at)

table past.portfolios
  id uuid
  account_id uuid
  kind text
  name text
  address text
  network_id text
  cost_method text
  created_at timestamp with time zone
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX portfolios_id_replaced_at_recorded_at_idx ON past.portfolios USING btree (id, replaced_at, recorded_at)
  CREATE INDEX portfolios_replaced_at_idx ON past.portfolios USING brin (replaced_at)

table past.price_days
  coin_id text
  at timestamp with time zone
  usd numeric
  source text
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX price_days_coin_id_at_replaced_at_recorded_at_idx ON past.price_days USING btree (coin_id, at, replaced_at, recorded_at)
  CREATE INDEX price_days_replaced_at_idx ON past.price_days USING brin (replaced_at)

table past.price_hours
  coin_id text
  at timestamp with time zone
  usd numeric
  source text
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX price_hours_coin_id_at_replaced_at_recorded_at_idx ON past.price_hours USING btree (coin_id, at, replaced_at, recorded_at)
  CREATE INDEX price_hours_replaced_at_idx ON past.price_hours USING brin (replaced_at)

table past.scopes
  id bigint
  book_id bigint
  wallet_id bigint
  account_id uuid
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX scopes_id_replaced_at_recorded_at_idx ON past.scopes USING btree (id, replaced_at, recorded_at)
  CREATE INDEX scopes_replaced_at_idx ON past.scopes USING brin (replaced_at)

table past.tokens
  network_id text
  address text
  symbol text
  decimals smallint
  coin_id text
  spam_reason text
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  name text
  CREATE INDEX tokens_network_id_address_replaced_at_recorded_at_idx ON past.tokens USING btree (network_id, address, replaced_at, recorded_at)
  CREATE INDEX tokens_replaced_at_idx ON past.tokens USING brin (replaced_at)

table past.wallet_syncs
  wallet_id bigint
  network_id text
  synced_at timestamp with time zone
  recorded_at timestamp with time zone not null
  replaced_at timestamp with time zone not null
  CREATE INDEX wallet_syncs_replaced_at_idx ON past.wallet_syncs USING brin (replaced_at)
  CREATE INDEX wallet_syncs_wallet_id_network_id_replaced_at_recorded_at_idx ON past.wallet_syncs USING btree (wallet_id, network_id, replaced_at, recorded_at)

table past.writes
  began_at timestamp with time zone not null
  xid xid8 not null
  visible_at timestamp with time zone
  constraint writes_pkey PRIMARY KEY (began_at, xid)
  constraint end_write TRIGGER DEFERRABLE INITIALLY DEFERRED
  CREATE INDEX writes_in_flight ON past.writes USING gist (tstzrange(began_at, visible_at)) WHERE (visible_at IS NOT NULL)
  grant select to api
  CREATE CONSTRAINT TRIGGER end_write AFTER INSERT ON past.writes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION past.end_write()

CREATE OR REPLACE FUNCTION public.accept_invitation(token_hash bytea, password_hash text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with used as (
    delete from user_invitations i using users u
    where i.hash = token_hash and i.expires_at > now() and u.subject = i.user_subject and u.disabled_at is null
    returning u.subject, u.name
  ), forgotten as (
    delete from sign_in_tries t using used where t.kind = 'name' and t.key = used.name
  ), changed as (
    update users u set password_hash = accept_invitation.password_hash from used where u.subject = used.subject
    returning 1
  )
  select exists (select from changed)
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.account_agents(account_id uuid)
 RETURNS TABLE(issuer text, subject text, client_id text, name text, connected_at timestamp with time zone, last_used_at timestamp with time zone, ended_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select a.issuer, a.user_subject, a.client_id, a.name, a.connected_at, a.last_used_at, a.ended_at
  from connected_agents a join identities i on i.issuer = a.issuer and i.subject = a.user_subject
  where i.account_id = account_agents.account_id
  order by a.connected_at desc, a.client_id
$function$
grant execute to account

CREATE OR REPLACE FUNCTION public.account_event_endpoints(account_id uuid, kind text, payload jsonb)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select coalesce(array_agg(e.id), '{}') from webhook_endpoints e
  where e.account_id = $1 and case
    when $2 = 'test.ping' then e.id::text = payload ->> 'endpointId'
    when $2 = 'endpoint.disabled' then $2 = any (e.types) and e.id::text <> payload ->> 'endpointId'
    when $2 like 'exchange.%' then $2 = any (e.types) and exists (
      select from event_subscriptions s where s.endpoint_id = e.id and s.wallet_id is null)
    when payload ->> 'endpointId' is not null then e.id::text = payload ->> 'endpointId'
    else $2 = any (e.types) end
$function$

CREATE OR REPLACE FUNCTION public.account_keys(account_id uuid)
 RETURNS TABLE(prefix text, name text, read_only boolean, opens text[], created_at timestamp with time zone, expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select k.prefix, k.name, k.read_only, k.opens, k.created_at, k.expires_at from api_keys k
  where k.account_id = account_keys.account_id and k.revoked_at is null
  order by k.created_at desc, k.prefix
$function$
grant execute to account

CREATE OR REPLACE FUNCTION public.account_kits(account_id uuid)
 RETURNS TABLE(id uuid, name text, logo text, appearance text, accent text, mode text, origins text[], redirect_urls text[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select k.id, k.name, k.logo, k.appearance, k.accent, k.mode, k.origins, k.redirect_urls from connect_kits k
  where k.account_id = account_kits.account_id
  order by k.created_at desc, k.id
$function$
grant execute to account

CREATE OR REPLACE FUNCTION public.account_of(session_hash bytea, issuer text)
 RETURNS TABLE(subject text, account_id uuid, name text, degen boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select s.subject, a.id, a.name, a.degen
  from page_sessions s
  left join identities i on i.issuer = s.issuer and i.subject = s.subject
  left join accounts a on a.id = i.account_id
  where s.hash = session_hash and s.issuer = account_of.issuer and s.expires_at > now()
$function$
grant execute to account

CREATE OR REPLACE FUNCTION public.account_shares(account_id uuid)
 RETURNS TABLE(id uuid, portfolio_id uuid, passcode boolean, locked boolean, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select s.id, s.portfolio_id, s.passcode_hash is not null, coalesce(s.locked_until > now(), false), s.created_at
  from portfolio_shares s join portfolios p on p.id = s.portfolio_id
  where p.account_id = account_shares.account_id and s.revoked_at is null
  order by s.created_at desc, s.id
$function$
grant execute to account

CREATE OR REPLACE FUNCTION public.acknowledge_incident(id bigint, operator text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with acknowledged as (
    update incidents i set acknowledged_at = clock_timestamp(), acknowledged_by = operator
    where i.id = acknowledge_incident.id and i.fired_at is not null and i.resolved_at is null
      and i.acknowledged_at is null
    returning trim(i.rule || ' ' || i.subject) as subject
  ), noted as (
    insert into operator_actions (operator, action, subject)
    select operator, 'acknowledge an incident', subject from acknowledged
  )
  select exists (select from acknowledged)
$function$
grant execute to console

CREATE OR REPLACE FUNCTION public.add_user_wallet(subject text, address text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with added as (
    insert into user_wallets as w (address, user_subject) values (add_user_wallet.address, subject)
    on conflict on constraint user_wallets_pkey do update set added_at = w.added_at
      where w.user_subject = excluded.user_subject
    returning 1
  )
  select exists (select from added)
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.admit(account_ids uuid[], counts integer[])
 RETURNS TABLE(account_id uuid, plan text, paid boolean, requests_per_second integer, allowed integer, requests_left integer, full_in_us bigint, next_in_us bigint, granted bigint, available bigint, period_ends_in_s integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  now_us bigint := floor(extract(epoch from clock_timestamp()) * 1000000);
begin
  perform ensure_periods(account_ids);
  insert into rate_states (account_id, due_us)
    select w.id, 0 from unnest(account_ids) w(id)
    where not exists (select from rate_states r where r.account_id = w.id) order by w.id
    on conflict do nothing;
  return query
  with locked as materialized (
    select r.account_id as id, r.due_us, w.count from unnest(account_ids, counts) w(id, count)
    join rate_states r on r.account_id = w.id
    order by r.account_id for update of r
  ), limits as (
    select l.id, l.count, a.plan, p.paid,
      coalesce(a.requests_per_second, p.requests_per_second) as rate,
      -- Rounded up, so that requests never pass faster than the rate.
      (999999 + coalesce(a.requests_per_second, p.requests_per_second)) / coalesce(a.requests_per_second, p.requests_per_second) as gap_us,
      l.due_us
    from locked l join accounts a on a.id = l.id join plans p on p.id = a.plan
  ), taken as (
    select t.*, least(t.count, (now_us + t.rate * t.gap_us - t.base_us) / t.gap_us)::integer as passed
    -- The cap handles a clock that was set back: due_us can then lie further away than a full burst.
    from (select *, least(greatest(due_us, now_us), now_us + rate * gap_us::bigint) as base_us from limits) t
  ), stored as (
    update rate_states r set due_us = t.base_us + t.passed * t.gap_us from taken t where r.account_id = t.id
  )
  select t.id, t.plan, t.paid, t.rate, t.passed,
    ((now_us + t.rate * t.gap_us - due) / t.gap_us)::integer, due - now_us,
    greatest(0, due + t.gap_us - t.rate * t.gap_us - now_us),
    c.granted, c.granted - c.posted, ceil(extract(epoch from c.ends_at - now()))::integer
  from (select *, base_us + passed * gap_us as due from taken) t
  join credit_periods c on c.account_id = t.id and c.is_open;
end $function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.admit_agent(issuer text, subject text, client_id text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  found_account uuid := identify(issuer, subject);
  agent connected_agents;
begin
  if found_account is null then return null; end if;
  select * into agent from connected_agents a
    where a.issuer = admit_agent.issuer and a.user_subject = subject and a.client_id = admit_agent.client_id;
  if agent.ended_at is not null then return null; end if;
  if agent.last_used_at is null or agent.last_used_at < now() - interval '1 minute' then
    insert into connected_agents as a (issuer, user_subject, client_id, name, last_used_at)
      values (issuer, subject, client_id, client_id, now())
      on conflict on constraint connected_agents_pkey do update set last_used_at = now();
  end if;
  return found_account;
end $function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.adopt_users(issuer text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update identities i set issuer = adopt_users.issuer
    where i.issuer <> adopt_users.issuer and i.subject in (select subject from users)
      and not exists (select from identities n where n.issuer = adopt_users.issuer and n.subject = i.subject);
  update operators o set issuer = adopt_users.issuer
    where o.issuer <> adopt_users.issuer and o.subject in (select subject from users)
      and not exists (select from operators n where n.issuer = adopt_users.issuer and n.subject = o.subject);
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.alert_side(value numeric, above numeric, below numeric, margin numeric)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when value >= above or value <= below then 1
    when value <= above - margin or value >= below + margin then -1
    else 0 end
$function$
grant execute to api
grant execute to ingest

CREATE OR REPLACE FUNCTION public.alert_side_now(kind text, subject text, rule jsonb)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when $1 = 'coin.price' then (
      select s.side from coin_quotes q cross join lateral coin_alert_side($3, q.coin_id, q.price_usd, q.at) s
      where q.coin_id = $2)
    when $1 like 'market.%' then market_alert_side($1, $3, $2::integer)
  end
$function$
grant execute to api

CREATE OR REPLACE FUNCTION public.allow_agent(issuer text, subject text, client_id text, name text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  if identify(issuer, subject) is null then return false; end if;
  insert into connected_agents as a (issuer, user_subject, client_id, name)
    values (issuer, subject, client_id, name)
    on conflict on constraint connected_agents_pkey do update
      set name = excluded.name, connected_at = now(), ended_at = null;
  return true;
end $function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.answer_unproven_payment(payment_id uuid)
 RETURNS TABLE(status_code integer, content_type text, headers jsonb, body bytea)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  known payments;
begin
  select * into known from payments p where p.id = payment_id;
  -- The lock makes these answers sequential per payer, so that the count is exact.
  perform pg_advisory_xact_lock(hashtextextended(known.payer, 402));
  update payments p set unproven_at = clock_timestamp()
    where p.id = payment_id and p.state = 'unknown' and p.nonce_used and p.unproven_at is null and p.amount <= 4000
      and (select count(*) from payments o
           where o.payer = known.payer and o.unproven_at > clock_timestamp() - interval '1 day') < 3;
  if found then
    return query select a.status_code, a.content_type, a.headers, a.body from payment_answers a where a.payment_id = payment_id;
  end if;
end $function$
grant execute to gateway

CREATE OR REPLACE FUNCTION public.apply_alert_writes(account_id uuid, writes jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  item jsonb;
  gone integer;
begin
  for item in select w from jsonb_array_elements(writes) w loop
    if item->>'kind' = 'alert-delete' then
      delete from alert_rules r where r.account_id = apply_alert_writes.account_id
        and r.id in (select i::uuid from jsonb_array_elements_text(item->'ids') i);
      get diagnostics gone = row_count;
      if gone < jsonb_array_length(item->'ids') then
        raise exception 'an alert is gone' using errcode = 'SL001';
      end if;
      continue;
    end if;
    insert into alert_rules (id, account_id, endpoint_id, kind, subject, rule, armed, value_usd, created_at)
      select (item->>'id')::uuid, account_id, e.id, item->>'type', item->>'subject', item->'rule',
        (item->>'armed')::boolean, (item->>'valueUsd')::numeric, (item->>'createdAt')::timestamptz
      from (select (item->>'endpointId')::uuid as wanted) w
      left join webhook_endpoints e on e.id = w.wanted and e.account_id = apply_alert_writes.account_id
      where w.wanted is null or e.id is not null;
    if not found then
      raise exception 'the endpoint is gone' using errcode = 'SL001';
    end if;
    if (select count(*) from alert_rules r where r.account_id = apply_alert_writes.account_id)
        > (item->>'most')::integer then
      raise exception 'the plan has no more alerts' using errcode = 'SL001';
    end if;
  end loop;
end $function$

CREATE OR REPLACE FUNCTION public.apply_portfolio_writes(account_id uuid, writes jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  item jsonb;
  stated_at timestamptz;
  adds jsonb := jsonb_path_query_array(writes, '$[*] ? (@.kind == "add")');
  added integer;
begin
  -- One statement for all of an imported file: the triggers of each would take milliseconds, while other charges wait.
  if adds <> '[]' then
    insert into manual_transactions
      (id, portfolio_id, at, coin_id, count, price, currency, price_usd, note, source, fetched_at)
      select (w->>'id')::uuid, p.id, (w->>'at')::timestamptz, w->>'coinId', (w->>'count')::numeric,
        (w->>'price')::numeric, w->>'currency', (w->>'priceUsd')::numeric, w->>'note', 'owner', now()
      from jsonb_array_elements(adds) w
      join portfolios p on p.id = (w->>'portfolioId')::uuid and p.kind = 'manual'
        and p.account_id = apply_portfolio_writes.account_id
      for key share of p
      on conflict (id) do nothing;
    get diagnostics added = row_count;
    if added <> jsonb_array_length(adds) then
      raise exception 'what a write was decided on has changed' using errcode = 'SL001';
    end if;
  end if;
  for item in select w from jsonb_array_elements(writes) w where w->>'kind' <> 'add' loop
    case item->>'kind'
    when 'follow' then
      insert into portfolios (id, account_id, kind, name, address, network_id)
        values ((item->>'id')::uuid, account_id, 'wallet', item->>'name', item->>'address', item->>'networkId')
        on conflict do nothing;
      -- So nothing calls the account's figures complete before they include it.
      if found then
        perform mark_account_dirty(account_id);
      end if;
    when 'open' then
      insert into portfolios (id, account_id, kind, name)
        values ((item->>'id')::uuid, account_id, 'manual', item->>'name');
    when 'cost-method' then
      update portfolios p set cost_method = item->>'method'
        where p.id = (item->>'id')::uuid and p.account_id = apply_portfolio_writes.account_id;
      if found then
        perform mark_account_dirty(account_id);
      end if;
    when 'rename' then
      update exchange_connections c set name = item->>'name'
        where c.id = (item->>'id')::uuid and c.account_id = apply_portfolio_writes.account_id;
      update portfolios p set name = item->>'name'
        where p.id = (item->>'id')::uuid and p.account_id = apply_portfolio_writes.account_id;
    when 'correct', 'delete' then
      -- Locks the portfolio before its P&L, as a recompute does.
      perform from portfolios p
        where p.id = (item->>'portfolioId')::uuid and p.account_id = apply_portfolio_writes.account_id
        for no key update;
      if found then
        select t.at into stated_at from manual_transactions t
          where t.id = (item->>'id')::uuid and t.portfolio_id = (item->>'portfolioId')::uuid
            and t.xmin::text = item->>'version';
      end if;
      if found then
        -- The recompute itself marks the instant of the corrected transaction.
        perform mark_manual_dirty((item->>'portfolioId')::uuid, stated_at);
        if item->>'kind' = 'delete' then
          delete from manual_transactions t where t.id = (item->>'id')::uuid;
        else
          update manual_transactions t set at = (item->>'at')::timestamptz, coin_id = item->>'coinId',
            count = (item->>'count')::numeric, price = (item->>'price')::numeric, currency = item->>'currency',
            price_usd = (item->>'priceUsd')::numeric, note = item->>'note', fetched_at = now(), derived = false
            where t.id = (item->>'id')::uuid;
        end if;
      end if;
    when 'remove' then
      delete from import_uploads u
        where u.portfolio_id = (item->>'id')::uuid and u.account_id = apply_portfolio_writes.account_id;
      delete from portfolio_shares s using portfolios p
        where s.portfolio_id = (item->>'id')::uuid and p.id = s.portfolio_id
          and p.account_id = apply_portfolio_writes.account_id;
      delete from exchange_secrets s
        where s.connection_id = (item->>'id')::uuid and s.account_id = apply_portfolio_writes.account_id;
      update portfolios p set account_id = null
        where p.id = (item->>'id')::uuid and p.account_id = apply_portfolio_writes.account_id;
    when 'use-upload' then
      delete from import_uploads u
        where u.id = (item->>'id')::uuid and u.account_id = apply_portfolio_writes.account_id and u.expires_at > now();
    when 'redeem' then
      update connect_codes c set redeemed_at = now()
        where c.hash = decode(item->>'codeHash', 'hex') and c.account_id = apply_portfolio_writes.account_id
          and c.redeemed_at is null;
    end case;
    if not found then
      raise exception 'what a write was decided on has changed' using errcode = 'SL001';
    end if;
  end loop;
end $function$

CREATE OR REPLACE FUNCTION public.apply_webhook_writes(account_id uuid, writes jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  item jsonb;
  endpoint uuid;
begin
  for item in select w from jsonb_array_elements(writes) w loop
    endpoint := (item->>'id')::uuid;
    if item->>'kind' = 'webhook-create' then
      insert into webhook_endpoints (id, account_id, url, types, options, key_id, wrapped_key, ciphertext)
        values (endpoint, account_id, item->>'url', array(select jsonb_array_elements_text(item->'types')),
          item->'options', item->'sealed'->>'keyId', decode(item->'sealed'->>'wrappedKey', 'hex'),
          decode(item->'sealed'->>'ciphertext', 'hex'));
    else
      perform from webhook_endpoints e where e.id = endpoint and e.account_id = apply_webhook_writes.account_id
        for no key update;
      if not found then
        raise exception 'the endpoint is gone' using errcode = 'SL001';
      end if;
    end if;
    case item->>'kind'
    when 'webhook-change' then
      update webhook_endpoints e set url = coalesce(item->>'url', e.url),
        types = coalesce((select array_agg(t) from jsonb_array_elements_text(item->'types') t), e.types),
        options = coalesce(item->'options', e.options)
        where e.id = endpoint;
      if item->'pause' is not null then
        update webhook_endpoints e set state = 'paused', reason = 'Paused by its owner' where e.id = endpoint;
      elsif item->'restart' is not null then
        update webhook_endpoints e set state = 'new', reason = null, failures = 0, failing_since = null,
          next_probe_at = null where e.id = endpoint;
      end if;
    when 'webhook-delete' then
      delete from webhook_endpoints e where e.id = endpoint;
    when 'webhook-rotate' then
      update webhook_endpoints e set previous_key_id = e.key_id, previous_wrapped_key = e.wrapped_key,
        previous_ciphertext = e.ciphertext, previous_until = now() + interval '24 hours',
        key_id = item->'sealed'->>'keyId', wrapped_key = decode(item->'sealed'->>'wrappedKey', 'hex'),
        ciphertext = decode(item->'sealed'->>'ciphertext', 'hex')
        where e.id = endpoint;
    when 'webhook-unwatch' then
      delete from event_subscriptions s where s.endpoint_id = endpoint and case
        when item->>'watched' = 'all' then s.wallet_id is null
        else exists (
          select from jsonb_to_recordset(item->'watched') as named (address text, "networkId" text)
          join wallets w on w.address = named.address
          where w.id = s.wallet_id and named."networkId" is not distinct from s.network_id)
        end;
    when 'webhook-replay' then
      -- Ten a second, as after an outage.
      insert into deliveries as known (endpoint_id, seq, lane, next_at)
        select endpoint, a.seq, coalesce(a.wallet_id % 4, 0),
          now() + (row_number() over (order by a.seq) - 1) * interval '100 ms'
        from account_events a
        where a.account_id = apply_webhook_writes.account_id and endpoint = any (a.endpoint_ids)
          and a.seq between (item->>'fromSeq')::bigint and (item->>'throughSeq')::bigint
        on conflict (endpoint_id, seq) do update set attempts = 0, next_at = excluded.next_at
          where known.next_at is null;
    else null;
    end case;
    if item->>'kind' in ('webhook-create', 'webhook-watch') then
      perform watch_wallets(account_id, endpoint, item->'watched', (item->'most'->>'wallets')::integer);
    end if;
    if item->>'kind' = 'webhook-create' and (select count(*) from webhook_endpoints e
        where e.account_id = apply_webhook_writes.account_id) > (item->'most'->>'endpoints')::integer then
      raise exception 'the plan has no more endpoints' using errcode = 'SL001';
    end if;
    if item->>'kind' in ('webhook-create', 'webhook-test') or item->'restart' is not null then
      insert into event_sources (kind, account_id, payload)
        values ('test.ping', account_id, jsonb_build_object('endpointId', endpoint));
    end if;
  end loop;
end $function$

CREATE OR REPLACE FUNCTION public.ask_first_syncs(asker text, addresses text[], network_ids text[], per_hour integer)
 RETURNS TABLE(refused integer, retry_s integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  wanted bigint[];
  started integer;
begin
  -- Reads of one asker count one after the other.
  perform pg_advisory_xact_lock(hashtextextended('first_syncs ' || asker, 0));
  wanted := array(
    select asked.position
    from unnest(addresses, network_ids) with ordinality as asked (address, network_id, position)
    where not exists (
      select from wallets w join wallet_syncs s on s.wallet_id = w.id
      where w.address = asked.address and s.network_id = asked.network_id
    ) and not exists (
      -- A command that was sent long ago and left no trace is repeated.
      select from outbox o where o.workflow_id = 'sync:' || asked.address || ':' || asked.network_id
        and (o.dispatched_at is null or o.created_at > now() - interval '10 minutes')
    )
    order by asked.position);
  if wanted = '{}' then
    refused := 0;
    retry_s := 0;
    return next;
    return;
  end if;
  delete from first_syncs f where f.asker = asker and f.asked_at <= now() - interval '1 hour';
  select least(cardinality(wanted), greatest(per_hour - coalesce(sum(f.syncs), 0), 0)),
      coalesce(ceil(extract(epoch from min(f.asked_at) + interval '1 hour' - now())), 0)
    into started, retry_s from first_syncs f where f.asker = asker;
  refused := cardinality(wanted) - started;
  if started > 0 then
    insert into first_syncs (asker, syncs) values (asker, started);
    insert into outbox (workflow, workflow_id, input, account_id)
      select 'syncWallet', 'sync:' || asked.address || ':' || asked.network_id,
        jsonb_build_object('address', asked.address, 'networkId', asked.network_id),
        case when length(asker) = 36 then asker::uuid end
      from unnest(addresses, network_ids) with ordinality as asked (address, network_id, position)
      where asked.position = any (wanted[1:started]) order by asked.position;
  end if;
  return next;
end $function$
grant execute to gateway
grant execute to meter

CREATE OR REPLACE FUNCTION public.attach_price_partition(parent text, part text, from_at timestamp with time zone, to_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
begin
  if to_regclass(part) is not null then return; end if;
  execute format('create table %I (like %I including all)', part, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, from_at, to_at);
end $function$

CREATE OR REPLACE FUNCTION public.authenticate(key_hash bytea)
 RETURNS TABLE(account_id uuid, stored_hash bytea, read_only boolean, opens text[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select k.account_id, k.hash, k.read_only, k.opens from api_keys k
  where k.hash = key_hash and k.revoked_at is null and coalesce(k.expires_at > now(), true)
$function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.backfill_states(resolution text, coin_ids text[])
 RETURNS TABLE(coin_id text, source text, from_at timestamp with time zone, to_at timestamp with time zone, floor_plan text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select c.id, c.source, h.from_at, h.to_at, h.floor_plan
  from coins c left join price_histories h on h.coin_id = c.id and h.resolution = backfill_states.resolution
  where (coin_ids is null and c.delisted_at is null or c.id = any(coin_ids))
    and exists (select from coin_mappings m where m.coin_id = c.id)
  order by c.rank nulls last, c.id limit 10000
$function$
grant execute to console

CREATE OR REPLACE FUNCTION public.begin_code_try(subject text, address text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not count_sign_in_try('address', address, 20) then
    return null;
  end if;
  return count_sign_in_try('code', subject, 5);
end $function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.begin_network_try(address text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select count_sign_in_try('address', address, 20)
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.begin_page_session(session_hash bytea, issuer text, subject text, seconds integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from page_sessions where expires_at <= now();
  insert into page_sessions (hash, issuer, subject, expires_at)
    values (session_hash, begin_page_session.issuer, begin_page_session.subject, now() + seconds * interval '1 second');
$function$
grant execute to account

CREATE OR REPLACE FUNCTION public.begin_sign_in(name text, address text)
 RETURNS TABLE(subject text, password_hash text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  is_open boolean;
begin
  delete from sign_in_tries t where t.last_at < now() - interval '2 days';
  if not count_sign_in_try('address', address, 20) then
    return;
  end if;
  is_open := count_sign_in_try('name', name, 5);
  return query
    select u.subject, u.password_hash from (select) always
    left join users u on u.name = begin_sign_in.name and u.disabled_at is null and u.password_hash is not null
      and is_open;
end $function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.category_ids(category text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select array_agg(distinct id) from (
    select lower(category) as id
    union all
    select trim(both '-' from regexp_replace(lower(part), '[^a-z0-9]+', '-', 'g'))
    from (values (category), (regexp_replace(category, '\(.*\)', '')), (substring(category from '\((.*)\)'))) as parts (part)
    union all
    select unnest(array['memecoins', 'meme-token']) where lower(category) = 'meme'
  ) as ids where id <> '';
$function$
grant execute to ingest

CREATE OR REPLACE FUNCTION public.change_account_key(account_id uuid, prefix text, name text, read_only boolean, opens text[], expires_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  update api_keys k set name = change_account_key.name, read_only = change_account_key.read_only,
      opens = change_account_key.opens, expires_at = change_account_key.expires_at
    where k.account_id = change_account_key.account_id and k.prefix = change_account_key.prefix
      and k.revoked_at is null;
  return found;
end $function$
grant execute to account

CREATE OR REPLACE FUNCTION public.change_account_kit(account_id uuid, kit_id uuid, name text, logo text, appearance text, accent text, mode text, origins text[], redirect_urls text[])
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  update connect_kits k set name = change_account_kit.name, logo = change_account_kit.logo,
      appearance = change_account_kit.appearance, accent = change_account_kit.accent, mode = change_account_kit.mode,
      origins = change_account_kit.origins, redirect_urls = change_account_kit.redirect_urls
    where k.id = kit_id and k.account_id = change_account_kit.account_id;
  return found;
end $function$
grant execute to account

CREATE OR REPLACE FUNCTION public.change_plan(account_id uuid, plan text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  period credit_periods := lock_period(account_id);
begin
  update accounts a set plan = change_plan.plan where a.id = change_plan.account_id;
  update credit_periods c set granted = c.topped_up + greatest(
      coalesce(a.credits_per_month, p.credits_per_month), least(c.granted - c.topped_up, c.posted))
    from accounts a join plans p on p.id = a.plan
    where a.id = change_plan.account_id and c.account_id = a.id and c.n = period.n;
end $function$

CREATE OR REPLACE FUNCTION public.change_user_password(subject text, password_hash text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update users u set password_hash = change_user_password.password_hash where u.subject = change_user_password.subject;
  select end_sessions_of_user(subject);
$function$
grant execute to issuer

CREATE OR REPLACE PROCEDURE public.charge(IN request_ids uuid[], IN account_ids uuid[], IN costs bigint[], IN endpoints text[], IN price_inputs text[], OUT charged jsonb)
 LANGUAGE plpgsql
AS $procedure$
begin
  select coalesce(jsonb_agg(c), '[]') into charged
  from charge_unflushed(request_ids, account_ids, costs, endpoints, price_inputs) c;
  commit;
  perform flush_charges();
end $procedure$
grant execute to meter

CREATE OR REPLACE FUNCTION public.charge_batch(request_ids uuid[], account_ids uuid[], costs bigint[], endpoints text[], price_inputs text[])
 RETURNS TABLE(account_id uuid, granted bigint, available bigint, period_ends_in_s integer, refused integer[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  spent record;
begin
  for spent in
    with entry as (
      insert into ledger_entries as l (request_id, kind, account_id, n, credits, endpoint, price_input, at)
      select u.request_id, 'charge', p.account_id, p.n, u.cost, u.endpoint, u.price_input, greatest(now(), p.starts_at)
      from unnest(request_ids, account_ids, costs, endpoints, price_inputs) u(request_id, id, cost, endpoint, price_input)
      join credit_periods p on p.account_id = u.id and p.is_open
      on conflict do nothing
      returning l.request_id, l.account_id, l.n, l.credits, l.endpoint, l.at
    )
    -- An account without entries has no open period yet, or was charged already.
    select a.id, e.n, (e.at at time zone 'UTC')::date as day, sum(e.credits)::bigint as credits,
      array_agg(e.request_id) as requests, array_agg(e.endpoint) as endpoints, array_agg(e.credits) as costs
    from (select distinct id from unnest(account_ids) u(id)) a left join entry e on e.account_id = a.id
    group by a.id, e.n, e.at order by a.id
  loop
    update credit_periods p set posted = p.posted + spent.credits
    where p.account_id = spent.id and p.n = spent.n and p.is_open and p.fresh_until > now()
      and p.posted + spent.credits <= p.granted
    returning p.account_id, p.granted, p.granted - p.posted, ceil(extract(epoch from p.ends_at - now()))::integer
    into account_id, granted, available, period_ends_in_s;
    if found then
      insert into usage_days as d (account_id, day, endpoint, calls, credits)
      select spent.id, spent.day, c.endpoint, count(*), sum(c.cost)
      from unnest(spent.endpoints, spent.costs) c(endpoint, cost) group by c.endpoint order by c.endpoint
      on conflict on constraint usage_days_pkey
        do update set calls = d.calls + excluded.calls, credits = d.credits + excluded.credits;
      refused := '{}';
      return next;
    else
      -- Nobody has seen these entries.
      delete from ledger_entries l where l.request_id = any(spent.requests) and l.kind = 'charge';
      refused := charge_singly(spent.id, request_ids, account_ids, costs, endpoints, price_inputs);
      return query
        select p.account_id, p.granted, p.granted - p.posted, ceil(extract(epoch from p.ends_at - now()))::integer,
          refused
        from credit_periods p where p.account_id = spent.id and p.is_open;
    end if;
  end loop;
end $function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.charge_in_part(request_id uuid, account_id uuid, cost bigint, endpoint text, price_input text, refund bigint)
 RETURNS TABLE(granted bigint, available bigint, period_ends_in_s integer, refused boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  select c.granted, c.available, c.period_ends_in_s, c.refused <> '{}'
    into granted, available, period_ends_in_s, refused
    from charge_batch(array[request_id], array[account_id], array[cost], array[endpoint], array[price_input]) c;
  if not refused and refund_charge(request_id, refund) then available := available + refund; end if;
  return next;
end $function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.charge_singly(account_id uuid, request_ids uuid[], account_ids uuid[], costs bigint[], endpoints text[], price_inputs text[])
 RETURNS integer[]
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  period credit_periods := lock_period(account_id);
  request record;
  refused integer[] := '{}';
begin
  for request in
    select u.* from unnest(request_ids, account_ids, costs, endpoints, price_inputs)
      with ordinality u(request_id, id, cost, endpoint, price_input, position)
    where u.id = charge_singly.account_id order by u.position
  loop
    if exists (select from ledger_entries l where l.request_id = request.request_id and l.kind = 'charge') then
      continue;
    elsif period.posted + request.cost > period.granted then
      refused := refused || request.position::integer;
    else
      perform post_entry(request.request_id, 'charge', account_id, period.n, request.cost, request.endpoint,
        request.price_input);
      period.posted := period.posted + request.cost;
    end if;
  end loop;
  return refused;
end $function$

CREATE OR REPLACE FUNCTION public.charge_unflushed(request_ids uuid[], account_ids uuid[], costs bigint[], endpoints text[], price_inputs text[])
 RETURNS TABLE(account_id uuid, granted bigint, available bigint, period_ends_in_s integer, refused integer[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform set_config('synchronous_commit', 'off', true);
  return query select * from charge_batch(request_ids, account_ids, costs, endpoints, price_inputs);
end $function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.charge_write(request_id uuid, account_id uuid, cost bigint, endpoint text, price_input text, commands jsonb, idempotency_key text, fingerprint bytea, body text, writes jsonb DEFAULT '[]'::jsonb)
 RETURNS TABLE(granted bigint, available bigint, period_ends_in_s integer, refused boolean, replayed_body text, mismatch boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  earlier idempotent_answers;
begin
  perform lock_period(account_id);
  if idempotency_key is not null then
    select * into earlier from idempotent_answers i
      where i.account_id = charge_write.account_id and i.key = idempotency_key;
  end if;
  if earlier.key is not null then
    select c.granted, c.available, c.period_ends_in_s, false, earlier.fingerprint <> fingerprint
      into granted, available, period_ends_in_s, refused, mismatch
      from charge_batch(array[earlier.request_id], array[account_id], array[0::bigint], array[endpoint], array[price_input]) c;
    replayed_body := case when not mismatch then earlier.body end;
    return next;
    return;
  end if;
  select c.granted, c.available, c.period_ends_in_s, c.refused <> '{}', false
    into granted, available, period_ends_in_s, refused, mismatch
    from charge_batch(array[request_id], array[account_id], array[cost], array[endpoint], array[price_input]) c;
  if not refused then
    perform apply_portfolio_writes(account_id, jsonb_path_query_array(writes,
      '$[*] ? (!(@.kind starts with "webhook") && !(@.kind starts with "alert"))'));
    perform apply_webhook_writes(account_id, jsonb_path_query_array(writes, '$[*] ? (@.kind starts with "webhook")'));
    perform apply_alert_writes(account_id, jsonb_path_query_array(writes, '$[*] ? (@.kind starts with "alert")'));
    insert into outbox (workflow, workflow_id, input, signal, traceparent, account_id)
      select c->>'workflow', c->>'workflowId', c->'input', c->>'signal', c->>'traceparent', account_id
      from jsonb_array_elements(commands) c;
    if idempotency_key is not null then
      delete from idempotent_answers i
        where i.account_id = charge_write.account_id and i.created_at < now() - interval '2 days';
      insert into idempotent_answers (account_id, key, request_id, fingerprint, body)
        values (account_id, idempotency_key, request_id, fingerprint, body);
    end if;
  end if;
  return next;
end $function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.claim_payment(chain_id integer, asset text, payer text, nonce text, amount bigint, resource_key bytea, authorization_hash bytea, valid_before timestamp with time zone, owner uuid, replay_seconds integer DEFAULT 3600)
 RETURNS TABLE(outcome text, payment_id uuid, claim uuid, claimed_at timestamp with time zone, reason text, transaction text, extra text, settled_at timestamp with time zone, status_code integer, content_type text, headers jsonb, body bytea)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_variable
declare
  known payments;
  in_time boolean := valid_before >= clock_timestamp() + interval '6 seconds';
begin
  for attempt in 1..3 loop
    if in_time then
      insert into payments (chain_id, asset, payer, nonce, amount, resource_key, authorization_hash, valid_before,
        claim, owner, try_after)
      values (chain_id, asset, payer, nonce, amount, resource_key, authorization_hash, valid_before,
        gen_random_uuid(), owner, clock_timestamp() + interval '60 seconds')
      on conflict do nothing
      returning payments.id, payments.claim, payments.claimed_at into payment_id, claim, claimed_at;
      if found then
        -- Nothing depends on the claim yet: if a server crash loses it, the request claims again.
        perform set_config('synchronous_commit', 'off', true);
        outcome := 'claimed';
        return next;
        return;
      end if;
    end if;
    select * into known from payments p
      where p.chain_id = chain_id and p.asset = asset and p.payer = payer and p.nonce = nonce;
    continue when not found;
    exit when known.state <> 'claimed' or payment_is_held(known.owner, known.try_after);
    delete from payments p where p.id = known.id and p.claim = known.claim and p.state = 'claimed';
    known := null;
  end loop;
  payment_id := known.id;
  claimed_at := known.claimed_at;
  if known.id is null then
    outcome := case when in_time then 'busy' else 'refused' end;
    reason := 'invalid_exact_evm_payload_authorization_valid_before';
  elsif known.state = 'claimed' then
    outcome := 'busy';
  elsif known.resource_key <> resource_key or known.authorization_hash <> authorization_hash then
    outcome := 'refused';
    reason := 'invalid_exact_evm_nonce_already_used';
  elsif known.state = 'failed' then
    outcome := 'refused';
    reason := known.last_error;
  elsif known.state = 'settled' then
    transaction := known.transaction;
    extra := known.extra;
    settled_at := known.settled_at;
    select a.status_code, a.content_type, a.headers, a.body into status_code, content_type, headers, body
      from payment_answers a
      where a.payment_id = known.id
        and known.settled_at > clock_timestamp() - make_interval(secs => replay_seconds);
    outcome := case when found then 'settled' else 'refused' end;
    reason := 'invalid_exact_evm_nonce_already_used';
  elsif known.state = 'lost' and known.valid_before < clock_timestamp() - interval '10 minutes' then
    outcome := 'refused';
    reason := known.last_error;
  elsif known.state = 'settling' and payment_is_held(known.owner, known.try_after) then
    outcome := 'busy';
  else
    outcome := 'pending';
  end if;
  return next;
end $function$
grant execute to gateway

CREATE OR REPLACE FUNCTION public.clean_payments()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from payments p where p.state = 'claimed' and not payment_is_held(p.owner, p.try_after);
  delete from payment_answers a using payments p
    where p.id = a.payment_id and a.expires_at < clock_timestamp()
      and p.state in ('settled', 'lost') and p.settled_at < clock_timestamp() - interval '1 hour';
  delete from payment_owners o where o.alive_until < clock_timestamp() - interval '1 hour';
$function$
grant execute to gateway

CREATE OR REPLACE FUNCTION public.close_account(account_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  perform from accounts a where a.id = account_id for update;
  update api_keys k set revoked_at = coalesce(k.revoked_at, now()), name = ''
    where k.account_id = close_account.account_id;
  delete from webhook_endpoints e where e.account_id = close_account.account_id;
  delete from alert_rules r where r.account_id = close_account.account_id;
  delete from event_subscriptions s where s.account_id = close_account.account_id;
  delete from event_tickets t where t.account_id = close_account.account_id;
  delete from account_events e where e.account_id = close_account.account_id;
  delete from import_uploads u where u.account_id = close_account.account_id;
  delete from connect_codes c where c.account_id = close_account.account_id;
  delete from connect_kits k where k.account_id = close_account.account_id;
  delete from idempotent_answers i where i.account_id = close_account.account_id;
  delete from portfolio_shares s using portfolios p
    where p.id = s.portfolio_id and p.account_id = close_account.account_id;
  delete from exchange_secrets s where s.account_id = close_account.account_id;
  update outbox o set account_id = null where o.account_id = close_account.account_id;
  insert into outbox (workflow, workflow_id, input)
    select 'removePortfolio', 'remove:' || p.id, jsonb_build_object('accountId', account_id, 'portfolioId', p.id)
    from portfolios p where p.account_id = close_account.account_id;
  update portfolios p set account_id = null where p.account_id = close_account.account_id;
  perform end_sessions_of_user(i.subject) from identities i where i.account_id = close_account.account_id;
  delete from users u using identities i
    where i.account_id = close_account.account_id and u.subject = i.subject
      and not exists (select from operators o where o.subject = u.subject);
  delete from identities i where i.account_id = close_account.account_id;
  update accounts a set name = 'closed', degen = false where a.id = close_account.account_id;
end $function$
grant execute to account

CREATE OR REPLACE FUNCTION public.coin_alert_side(rule jsonb, coin_id text, price numeric, at timestamp with time zone, OUT side integer, OUT change numeric)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_variable
declare
  since timestamptz := at - make_interval(secs => (rule->>'windowSeconds')::integer);
  edge numeric := coalesce(rule->>'above', rule->>'below')::numeric;
begin
  if since is null then
    side := alert_side(price, (rule->>'above')::numeric, (rule->>'below')::numeric, edge * 0.005);
  else
    select (price / h.usd - 1) * 100 into change from price_hours h
      where h.coin_id = coin_alert_side.coin_id and h.at <= since and h.at > since - interval '2 hours' and h.usd > 0
      order by h.at desc limit 1;
    side := alert_side(abs(change), (rule->>'changePercent')::numeric, null, 0.5);
  end if;
end $function$
grant execute to api
grant execute to ingest

CREATE OR REPLACE FUNCTION public.confirm_user_totp(subject text, step bigint, code_hashes bytea[])
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  update user_totp t set confirmed_at = now(), last_step = step
    where t.user_subject = subject and t.confirmed_at is null;
  if not found then
    return false;
  end if;
  perform renew_recovery_codes(subject, code_hashes);
  return true;
end $function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.connect_exchange(connection_id uuid, account_id uuid, venue text, name text, fingerprint bytea, version integer, key_id text, wrapped_key bytea, ciphertext bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  insert into exchange_connections as stored (id, account_id, venue, name, fingerprint, version)
    select connection_id, account_id, venue, name, fingerprint, version
    where version = 1 or exists (select from exchange_connections c where c.id = connection_id)
    on conflict on constraint exchange_connections_account_id_venue_fingerprint_key do update
      set version = excluded.version, name = coalesce(excluded.name, stored.name)
      where stored.id = excluded.id and stored.version = excluded.version - 1;
  if not found then
    return false;
  end if;
  -- Supersedes offers that were not tried yet.
  delete from exchange_secrets s using exchange_connections c
    where s.connection_id = connect_exchange.connection_id and c.id = s.connection_id
      and s.version is distinct from c.active_version;
  insert into exchange_secrets (connection_id, version, account_id, key_id, wrapped_key, ciphertext)
    values (connection_id, version, account_id, key_id, wrapped_key, ciphertext);
  insert into outbox (workflow, workflow_id, input, account_id)
    values ('connectExchange', 'exchange-connect:' || connection_id || ':' || version,
      jsonb_build_object('connectionId', connection_id, 'version', version), account_id);
  return true;
end $function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.connect_kit(kit_id uuid)
 RETURNS TABLE(account_id uuid, id uuid, name text, logo text, appearance text, accent text, mode text, origins text[], redirect_urls text[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select k.account_id, k.id, k.name, k.logo, k.appearance, k.accent, k.mode, k.origins, k.redirect_urls
  from connect_kits k where k.id = connect_kit.kit_id
$function$
grant execute to account

CREATE OR REPLACE FUNCTION public.consume_issuer_record(model text, id_hash bytea)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with used as (
    update issuer_records r set consumed_at = clock_timestamp()
    where r.model = consume_issuer_record.model and r.hash = id_hash and r.consumed_at is null
    returning 1
  )
  select exists (select from used)
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.count_lost_payments()
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select count(*) from payments p where p.state = 'lost' and p.settled_at > clock_timestamp() - interval '1 day'
$function$
grant execute to gateway
grant execute to ingest

CREATE OR REPLACE FUNCTION public.count_open_payments()
 RETURNS TABLE(state text, payments bigint, oldest_s double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select p.state, count(*), extract(epoch from clock_timestamp() - min(p.claimed_at))::float8
  from payments p where p.state in ('claimed', 'settling', 'unknown') group by p.state
$function$
grant execute to gateway
grant execute to ingest

CREATE OR REPLACE FUNCTION public.count_sign_in_try(kind text, key text, most integer)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with counted as (
    insert into sign_in_tries as t (kind, key, wrong, last_at)
      values (count_sign_in_try.kind, count_sign_in_try.key, 1, clock_timestamp())
    on conflict on constraint sign_in_tries_pkey do update set
      wrong = t.wrong + 1,
      last_at = clock_timestamp(),
      locked_until = case when (t.wrong + 1) % most = 0 then clock_timestamp()
        + least(interval '15 minutes' * power(2, least((t.wrong + 1) / most, 10) - 1), interval '1 day') end
      where t.locked_until is null or t.locked_until <= clock_timestamp()
    returning 1
  )
  select exists (select from counted)
$function$

CREATE OR REPLACE FUNCTION public.count_transaction_days()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.create_account_key(account_id uuid, key_hash bytea, prefix text, name text, read_only boolean, opens text[], expires_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  -- The lock makes key creation sequential per account, so that the count is exact.
  perform from accounts a where a.id = account_id for no key update;
  if (select count(*) >= 100 or bool_or(k.prefix = create_account_key.prefix) from api_keys k
      where k.account_id = create_account_key.account_id and k.revoked_at is null) then
    return false;
  end if;
  insert into api_keys (hash, account_id, prefix, name, read_only, opens, expires_at)
    values (key_hash, account_id, prefix, name, read_only, opens, expires_at);
  return true;
end $function$
grant execute to account

CREATE OR REPLACE FUNCTION public.create_account_kit(account_id uuid, kit_id uuid, name text, logo text, appearance text, accent text, mode text, origins text[], redirect_urls text[])
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  -- The lock makes creation sequential per account, so that the count is exact.
  perform from accounts a where a.id = account_id for no key update;
  if (select count(*) >= 20 from connect_kits k where k.account_id = create_account_kit.account_id) then
    return false;
  end if;
  insert into connect_kits (id, account_id, name, logo, appearance, accent, mode, origins, redirect_urls)
    values (kit_id, account_id, name, logo, appearance, accent, mode, origins, redirect_urls);
  return true;
end $function$
grant execute to account

CREATE OR REPLACE FUNCTION public.create_account_share(account_id uuid, portfolio_id uuid, share_id uuid, token_hash bytea, keyed_passcode bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  perform from accounts a where a.id = account_id and a.degen for no key update;
  if not found then
    return false;
  end if;
  insert into portfolio_shares (id, portfolio_id, token_hash, passcode_hash)
    select share_id, p.id, token_hash, share_passcode_hash(share_id, keyed_passcode) from portfolios p
    where p.id = create_account_share.portfolio_id and p.account_id = create_account_share.account_id
      and (select count(*) < 100 from portfolio_shares s where s.portfolio_id = p.id and s.revoked_at is null);
  return found;
end $function$
grant execute to account

CREATE OR REPLACE FUNCTION public.create_connect_code(kit_id uuid, code_hash bytea, portfolio_id uuid, address text, network_id text, existed boolean, nonce text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  delete from connect_codes c where c.expires_at < now() - interval '1 day';
  insert into connect_codes (hash, kit_id, account_id, portfolio_id, address, network_id, existed, nonce, expires_at)
    select code_hash, k.id, k.account_id, portfolio_id, address, network_id, existed, nonce,
      now() + interval '10 minutes'
    from connect_kits k where k.id = create_connect_code.kit_id
    on conflict on constraint connect_codes_nonce_key do nothing;
  return found;
end $function$
grant execute to account

CREATE OR REPLACE FUNCTION public.decide_coin_alerts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from alert_rules where kind = 'coin.price') then return null; end if;
  with turned as (
    update alert_rules r set armed = judged.side < 0,
      fired_at = case when judged.side > 0 then now() else r.fired_at end
    from (
      select r.id, s.side, s.change, q.price_usd, q.at
      from changed q join alert_rules r on r.kind = 'coin.price' and r.subject = q.coin_id
      cross join lateral coin_alert_side(r.rule, q.coin_id, q.price_usd, q.at) s
      where q.at > q.fetched_at - interval '1 hour'
    ) judged
    where r.id = judged.id and r.armed = (judged.side > 0) and judged.side <> 0
    returning r.*, judged.price_usd, judged.at, judged.change
  )
  insert into event_sources (kind, account_id, payload)
  select kind, account_id, jsonb_build_object('endpointId', endpoint_id, 'data', jsonb_build_object(
      'alertId', id, 'coinId', subject, 'priceUsd', price_usd,
      'priceAt', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'changePercent', round(change, 4), 'rule', rule))
  from turned where not armed order by created_at, id;
  return null;
end $function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.decide_market_alerts(market_ids integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from alert_rules where kind in ('market.price', 'market.resolved')) then return; end if;
  with turned as (
    -- Two pages with the same markets wait for each other here, and the second one judges anew.
    select r.id, s.side from alert_rules r cross join lateral market_alert_side(r.kind, r.rule, r.subject::integer) as s (side)
    where r.kind in ('market.price', 'market.resolved') and r.subject = any (market_ids::text[])
      and r.armed = (s.side > 0) and s.side <> 0
    order by r.id for no key update of r
  ), kept as (
    update alert_rules r set armed = turned.side < 0,
      fired_at = case when turned.side > 0 then now() else r.fired_at end
    from turned where r.id = turned.id returning r.*
  )
  insert into event_sources (kind, account_id, payload)
  select r.kind, r.account_id, jsonb_build_object('endpointId', r.endpoint_id, 'data', jsonb_build_object(
      'alertId', r.id, 'marketId', r.subject, 'slug', m.slug, 'venue', m.venue, 'question', m.question, 'status', m.status,
      'outcomes', (select jsonb_agg(jsonb_build_object('id', o.market_id || '-' || o.position, 'name', o.name,
          'price', o.price, 'winner', o.payout = 1) order by o.position)
        from prediction_outcomes o where o.market_id = m.id),
      'rule', r.rule))
  from kept r join prediction_markets m on m.id = r.subject::integer
  where not r.armed order by r.created_at, r.id;
end $function$
grant execute to ingest

CREATE OR REPLACE FUNCTION public.deliveries_of(seq bigint, wallet_id bigint, endpoint_ids uuid[])
 RETURNS TABLE(endpoint_id uuid, seq bigint, lane smallint)
 LANGUAGE sql
 STABLE
AS $function$
  select e.id, $1, coalesce($2 % 4, 0)::smallint from webhook_endpoints e
  where e.id = any ($3) and e.state not in ('paused', 'disabled')
$function$

CREATE OR REPLACE FUNCTION public.derive_again(for_network text, wallet_ids bigint[], from_blocks bigint[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with asked as (
    select s.wallet_id, a.from_block, f.cursor_block,
      f.mode <> 'off' and s.synced_at is not null
        and least(s.cursor_block, s.normalised_block) >= s.covered_from - 1 as is_followed
    from unnest(wallet_ids, from_blocks) as a (wallet_id, from_block)
    join wallet_syncs s on s.wallet_id = a.wallet_id and s.network_id = for_network
    left join network_follows f on f.network_id = for_network
    where a.from_block <= greatest(s.normalised_block, f.cursor_block)
  ), marked as (
    insert into touched_wallets as known (network_id, wallet_id, from_block, through_block, reason)
    select for_network, wallet_id, from_block, greatest(from_block, cursor_block), 'block'
    from asked where is_followed order by wallet_id
    on conflict (network_id, wallet_id) do update set from_block = least(known.from_block, excluded.from_block),
      through_block = greatest(known.through_block, excluded.through_block), next_at = null
  )
  update wallet_syncs s set normalised_block = least(s.normalised_block, a.from_block - 1)
  from asked a where s.network_id = for_network and s.wallet_id = a.wallet_id and a.is_followed is not true
$function$
grant execute to ingest

CREATE OR REPLACE FUNCTION public.doubt_payment(payment_id uuid, reason text, nonce_used boolean, asked boolean DEFAULT true)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update payments p set state = case when asked then 'unknown' else p.state end, last_error = reason, owner = null,
      nonce_used = p.nonce_used or doubt_payment.nonce_used,
      try_after = clock_timestamp() + case
        when p.valid_before <= clock_timestamp() - interval '10 minutes' then interval '10 minutes'
        when asked or p.state = 'unknown' then interval '10 seconds' else interval '1 second' end
    where p.id = payment_id and p.state in ('settling', 'unknown')
$function$
grant execute to gateway

CREATE OR REPLACE FUNCTION public.drop_issuer_record(model text, id_hash bytea)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from issuer_records r where r.model = drop_issuer_record.model and r.hash = id_hash
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.drop_old_events(plans text[], days integer[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET "TimeZone" TO 'UTC'
 SET lock_timeout TO '500ms'
AS $function$
declare
  longest integer := (select max(d) from unnest(days) d);
  part text;
  gone integer := 0;
begin
  delete from event_subscriptions where expires_at <= now();
  delete from import_uploads where expires_at <= now();
  delete from told_transactions where at < now() - interval '30 days';
  with old as (
    delete from account_events e using accounts a join unnest(plans, days) as kept (plan, days) on kept.plan = a.plan
    where a.id = e.account_id and kept.days < longest and e.created_at < now() - make_interval(days => kept.days)
    returning e.account_id, e.seq
  ), noted as (
    insert into dropped_events as d (account_id, seq)
    select account_id, max(seq) from old where seq is not null group by account_id
    on conflict (account_id) do update set seq = greatest(d.seq, excluded.seq)
  )
  select count(*) into gone from old;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'account_events'::regclass
      -- Their names end with their day.
      and to_date(right(c.relname, 8), 'YYYYMMDD') + longest < current_date order by 1
  loop
    execute format('insert into dropped_events as d (account_id, seq)
      select e.account_id, max(e.seq) from %I e join accounts a on a.id = e.account_id
      where e.seq is not null group by e.account_id
      on conflict (account_id) do update set seq = greatest(d.seq, excluded.seq)', part);
    execute format('drop table %I', part);
    gone := gone + 1;
  end loop;
  delete from deliveries d using webhook_endpoints e join dropped_events g on g.account_id = e.account_id
    where d.endpoint_id = e.id and d.seq <= g.seq;
  return gone;
end $function$
grant execute to ingest

CREATE OR REPLACE FUNCTION public.drop_user_totp(subject text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from user_totp t where t.user_subject = subject;
  delete from user_recovery_codes c where c.user_subject = subject;
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.end_agent(account_id uuid, subject text, client_id text, is_ended boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  update connected_agents a set ended_at = case when is_ended then now() end
    from identities i
    where i.issuer = a.issuer and i.subject = a.user_subject and i.account_id = end_agent.account_id
      and a.user_subject = end_agent.subject and a.client_id = end_agent.client_id;
  if not found then return false; end if;
  if is_ended then
    delete from issuer_records r
      where r.payload ->> 'accountId' = end_agent.subject and r.payload ->> 'clientId' = end_agent.client_id;
  end if;
  return true;
end $function$
grant execute to account

CREATE OR REPLACE FUNCTION public.end_page_session(session_hash bytea)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from page_sessions where hash = session_hash
$function$
grant execute to account
grant execute to console

CREATE OR REPLACE FUNCTION public.end_payment_owner(owner uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from payment_owners o where o.id = owner
$function$
grant execute to gateway

CREATE OR REPLACE FUNCTION public.end_sessions_of_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op <> 'INSERT' then
    delete from page_sessions s where s.issuer = old.issuer and s.subject = old.subject;
  end if;
  if tg_op <> 'DELETE' then
    delete from page_sessions s where s.issuer = new.issuer and s.subject = new.subject;
  end if;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.end_sessions_of_user(subject text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from issuer_records r where r.payload ->> 'accountId' = end_sessions_of_user.subject;
  delete from page_sessions s where s.subject = end_sessions_of_user.subject;
$function$

CREATE OR REPLACE FUNCTION public.end_silence(id bigint, operator text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with ended as (
    update incident_silences s set until = clock_timestamp()
    where s.id = end_silence.id and s.until > clock_timestamp()
    returning trim(s.rule || ' ' || coalesce(s.subject, '')) as subject
  ), noted as (
    insert into operator_actions (operator, action, subject) select operator, 'end a silence', subject from ended
  )
  select exists (select from ended)
$function$
grant execute to console

CREATE OR REPLACE FUNCTION public.ensure_event_partitions(at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  start_at timestamptz;
begin
  for start_at in select generate_series(date_trunc('day', at), date_trunc('day', at) + interval '1 day', interval '1 day')
  loop
    -- Attaching a table locks the parent less than creating a partition of it does.
    perform attach_price_partition('account_events', 'account_events_' || to_char(start_at, 'YYYYMMDD'),
      start_at, start_at + interval '1 day');
  end loop;
end $function$

CREATE OR REPLACE FUNCTION public.ensure_periods(account_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  account uuid;
begin
  if not exists (
    select from unnest(account_ids) u(id) where not exists (
      select from credit_periods p where p.account_id = u.id and p.is_open and p.fresh_until > now()))
  then return; end if;
  -- Refreshes all accounts, not only stale ones, so that all sessions take these locks in one order.
  for account in select distinct u.id from unnest(account_ids) u(id) order by u.id
  loop
    perform refresh_period(account);
  end loop;
end $function$

CREATE OR REPLACE FUNCTION public.ensure_price_partitions(from_at timestamp with time zone, to_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  part record;
  locked boolean := false;
begin
  for part in
    select 'price_hours' as parent, 'price_hours_' || to_char(start_at, 'YYYYMM') as name, start_at, start_at + interval '1 month' as end_at
      from generate_series(date_trunc('month', from_at), to_at, interval '1 month') as start_at
    union all
    select 'price_days', 'price_days_' || to_char(start_at, 'YYYY'), start_at, start_at + interval '1 year'
      from generate_series(date_trunc('year', from_at), to_at, interval '1 year') as start_at
    order by 1, 3
  loop
    if to_regclass(part.name) is not null then continue; end if;
    if not locked then
      perform pg_advisory_xact_lock(hashtext('ensure_price_partitions'));
      locked := true;
    end if;
    perform attach_price_partition(part.parent, part.name, part.start_at, part.end_at);
  end loop;
end $function$
grant execute to ingest

CREATE OR REPLACE FUNCTION public.event_body(id uuid, type text, at timestamp with time zone, seq bigint, data text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select format('{"id":"evt_%s","type":"%s","timestamp":"%s","seq":%s,"data":%s}', replace(id::text, '-', ''), type,
    to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), coalesce('"' || seq || '"', 'null'), data)
$function$

CREATE OR REPLACE FUNCTION public.event_receivers(kind text, wallet_id bigint, network_id text, tx_hash text, payload jsonb)
 RETURNS TABLE(account_id uuid, endpoint_ids uuid[], is_told boolean)
 LANGUAGE sql
 STABLE
AS $function$
  select w.account_id,
    coalesce(array_agg(distinct w.endpoint_id) filter (where w.endpoint_id is not null), '{}'),
    bool_or(told.account_id is not null)
  from event_watchers w
  -- By its key: with a plan for all endpoints each event would read all of them.
  left join lateral (select id, types, options from webhook_endpoints where id = w.endpoint_id limit 1) e on true
  left join told_transactions told on $1 = 'wallet.transaction'
    and told.network_id = $3 and told.wallet_id = $2 and told.tx_hash = $4 and told.account_id = w.account_id
  cross join lateral (select
    coalesce(e.types, w.types) as types,
    coalesce((e.options ->> 'includeSpam')::boolean, false) as spam,
    coalesce((e.options ->> 'minValueUsd')::numeric, 0) as least_usd,
    coalesce(e.options ->> 'confirmed', 'both') as confirmed,
    told.account_id is not null and (e.id is null or e.id = any (told.endpoint_ids)) as knows_it) o
  where w.wallet_id = $2 and (w.network_id = $3 or w.network_id is null and (select in_all from networks where id = $3))
    and (o.types is null or $1 = any (o.types))
    and ($1 <> 'wallet.transaction' or case
      when payload ->> 'status' = 'reorged' then o.knows_it
      when o.confirmed = 'first' and not (payload ->> 'first')::boolean then false
      when o.confirmed = 'only' and payload ->> 'status' <> 'confirmed' then false
      else o.knows_it or ((o.spam or (payload ->> 'identified')::boolean)
        and coalesce(abs((payload #>> '{row,main,valueUsd}')::numeric), 0) >= o.least_usd)
      end)
  group by w.account_id
$function$

CREATE OR REPLACE FUNCTION public.event_room(account_id uuid, per_second integer, at timestamp with time zone)
 RETURNS double precision
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select least(per_second, coalesce(
    (select r.room + per_second * extract(epoch from $3 - r.at) from event_rates r where r.account_id = $1), per_second))
$function$

CREATE OR REPLACE FUNCTION public.exchange_legs_of(t exchange_transactions)
 RETURNS TABLE(role text, asset text, delta numeric)
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select leg.role, leg.asset, leg.delta
  from (values ('base', t.asset, t.amount), ('quote', t.quote_asset, t.quote_amount), ('fee', t.fee_asset, -t.fee_amount))
    leg (role, asset, delta)
  where t.status = 'ok' and leg.asset is not null and leg.delta <> 0
$function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.exchange_sync_state(connection_id uuid, since timestamp with time zone)
 RETURNS TABLE(taken boolean, streams integer, complete integer, stored bigint, covered_to timestamp with time zone, synced_at timestamp with time zone, failed_at timestamp with time zone, failure text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select not exists (
      select from outbox where workflow_id = 'exchange:' || exchange_sync_state.connection_id and dispatched_at is null
    ), count(c.stream)::int, (count(*) filter (where c.complete_at >= since))::int, coalesce(sum(c.rows), 0)::bigint,
    known.covered_to, known.synced_at, known.failed_at, known.failure
  from exchange_connections known left join exchange_cursors c on c.connection_id = known.id
  where known.id = exchange_sync_state.connection_id
  group by known.id
$function$
grant execute to console

CREATE OR REPLACE FUNCTION public.fail_payment(payment_id uuid, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  update payments p set state = 'failed', last_error = reason, owner = null, request = null
    where p.id = payment_id and p.state in ('settling', 'unknown');
  if found then
    delete from payment_answers a where a.payment_id = payment_id;
  end if;
end $function$
grant execute to gateway

CREATE OR REPLACE FUNCTION public.flush_charges()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  -- Without a message the transaction would have nothing to write, and would not wait.
  select pg_logical_emit_message(true, 'flush_charges', '')
$function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.fold_coins(fold_id bigint)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
AS $function$
  with recursive held (coin_id) as (
    (select c.coin_id from coin_folds c where c.fold_id = $1 order by c.coin_id limit 1)
    union all
    select (select c.coin_id from coin_folds c where c.fold_id = $1 and c.coin_id > held.coin_id order by c.coin_id limit 1)
    from held where held.coin_id is not null
  ) select coin_id from held where coin_id is not null
$function$
grant execute to api
grant execute to ingest

CREATE OR REPLACE FUNCTION public.forget_account_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from account_events where account_id = old.id;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.forget_portfolio(portfolio_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  account uuid;
  book bigint;
begin
  perform from exchange_connections c where c.id = portfolio_id for update;
  select p.account_id into account from portfolios p where p.id = portfolio_id for update;
  if not found then
    return;
  end if;
  select b.id into book from books b where b.connection_id = portfolio_id or b.portfolio_id = portfolio_id;
  perform from pl_states s where s.book_id = book for update;
  perform from scopes s where s.book_id = book or s.account_id = account order by s.id for update;
  perform mark_account_dirty(account);
  delete from pl_days d where d.book_id = book;
  delete from balance_days d where d.book_id = book;
  delete from books b where b.id = book;
  delete from portfolios p where p.id = portfolio_id;
  delete from exchange_legs e where e.connection_id = portfolio_id;
  delete from exchange_transactions e where e.connection_id = portfolio_id;
  delete from exchange_balances e where e.connection_id = portfolio_id;
  delete from exchange_cursors e where e.connection_id = portfolio_id;
  delete from exchange_secrets e where e.connection_id = portfolio_id;
  delete from exchange_connections c where c.id = portfolio_id;
end $function$
grant execute to ingest

CREATE OR REPLACE FUNCTION public.forget_portfolio_alerts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from alert_rules where kind = 'portfolio.value' and subject = old.id::text;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.grant_credits(grant_id text, account_id uuid, credits bigint, expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS TABLE(valid_until timestamp with time zone, added boolean)
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  period credit_periods := lock_period(account_id);
  earlier credit_grants;
begin
  select * into earlier from credit_grants g where g.id = grant_id;
  if earlier.id is not null then
    if earlier.account_id <> account_id or earlier.credits <> credits then
      raise exception 'the id % is that of another top-up', grant_id using errcode = 'SL002';
    end if;
    valid_until := earlier.expires_at;
    added := false;
    return next;
    return;
  end if;
  valid_until := coalesce(expires_at, period.ends_at);
  if valid_until <= now() then
    raise exception 'a top-up has to expire in the future' using errcode = 'SL002';
  end if;
  insert into credit_grants (id, account_id, credits, expires_at) values (grant_id, account_id, credits, valid_until);
  update credit_periods p set granted = p.granted + credits, topped_up = p.topped_up + credits,
    fresh_until = least(p.fresh_until, valid_until)
    where p.account_id = period.account_id and p.n = period.n;
  added := true;
  return next;
end $function$

CREATE OR REPLACE FUNCTION public.identify(issuer text, subject text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select i.account_id from identities i where i.issuer = identify.issuer and i.subject = identify.subject
$function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.import_upload(account_id uuid, upload_id uuid)
 RETURNS TABLE(portfolio_id uuid, body text, previewed jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select u.portfolio_id, u.body, u.previewed from import_uploads u
  where u.id = upload_id and u.account_id = import_upload.account_id and u.expires_at > now()
$function$
grant execute to account

CREATE OR REPLACE FUNCTION public.invitation_of(token_hash bytea)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select u.name from user_invitations i join users u on u.subject = i.user_subject
  where i.hash = token_hash and i.expires_at > now() and u.disabled_at is null
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.invite_user(name text, account_id uuid, sees_console boolean, issuer text, token_hash bytea, operator text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  subject text;
begin
  insert into users (name) values (name) on conflict on constraint users_name_key do nothing
    returning users.subject into subject;
  if subject is null then
    return null;
  end if;
  insert into user_invitations (user_subject, hash, expires_at) values (subject, token_hash, now() + interval '3 days');
  if account_id is not null then
    insert into identities (issuer, subject, account_id) values (issuer, subject, account_id);
  end if;
  if sees_console then
    insert into operators (issuer, subject) values (issuer, subject);
  end if;
  insert into operator_actions (operator, action, subject)
    values (operator, 'invite a user' || case when sees_console then ' to the console' else '' end, name);
  return subject;
end $function$
grant execute to console

CREATE OR REPLACE FUNCTION public.issuer_profile(subject text)
 RETURNS TABLE(name text, has_totp boolean, recovery_codes integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select u.name,
    exists (select from user_totp t where t.user_subject = u.subject and t.confirmed_at is not null),
    (select count(*)::int from user_recovery_codes c where c.user_subject = u.subject)
  from users u where u.subject = issuer_profile.subject and u.disabled_at is null
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.issuer_record(model text, id_hash bytea, uid text)
 RETURNS TABLE(payload jsonb, consumed_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select r.payload, r.consumed_at from issuer_records r
  where r.model = issuer_record.model and r.expires_at > now()
    and case when id_hash is null then r.uid = issuer_record.uid else r.hash = id_hash end
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.issuer_user(subject text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (select from users u where u.subject = issuer_user.subject and u.disabled_at is null)
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.keep_event_ticket(hash bytea, account_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with expired as (delete from event_tickets t where t.expires_at <= now())
  insert into event_tickets (hash, account_id, expires_at) values ($1, $2, now() + interval '1 minute')
  returning expires_at
$function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.keep_import_upload(account_id uuid, portfolio_id uuid, upload_id uuid, body text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  kept uuid;
begin
  perform from accounts a where a.id = account_id for no key update;
  insert into import_uploads (id, account_id, portfolio_id, body, sha256, expires_at)
    select upload_id, account_id, p.id, body, sha256(convert_to(body, 'UTF8')), now() + interval '1 hour'
    from portfolios p
    where p.id = keep_import_upload.portfolio_id and p.account_id = keep_import_upload.account_id and p.kind = 'manual'
    on conflict on constraint import_uploads_account_id_portfolio_id_sha256_key
      do update set expires_at = excluded.expires_at
    returning id into kept;
  delete from import_uploads u
    where u.account_id = keep_import_upload.account_id and u.id not in (
      select o.id from import_uploads o where o.account_id = keep_import_upload.account_id
      order by o.expires_at desc, o.id = kept desc limit 10);
  return kept;
end $function$
grant execute to account

CREATE OR REPLACE FUNCTION public.keep_issuer_record(model text, id_hash bytea, payload jsonb, seconds integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from issuer_records r where keep_issuer_record.model = 'Interaction' and r.expires_at <= now();
  insert into issuer_records as r (model, hash, payload, uid, grant_id, expires_at)
    values (keep_issuer_record.model, id_hash, keep_issuer_record.payload, keep_issuer_record.payload ->> 'uid',
      keep_issuer_record.payload ->> 'grantId', now() + seconds * interval '1 second')
    on conflict on constraint issuer_records_pkey do update
      set payload = excluded.payload, uid = excluded.uid, grant_id = excluded.grant_id, expires_at = excluded.expires_at;
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.keep_user_totp(subject text, key_id text, wrapped_key bytea, ciphertext bytea)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with kept as (
    insert into user_totp as t (user_subject, key_id, wrapped_key, ciphertext)
      values (subject, keep_user_totp.key_id, keep_user_totp.wrapped_key, keep_user_totp.ciphertext)
    on conflict on constraint user_totp_pkey do update
      set key_id = excluded.key_id, wrapped_key = excluded.wrapped_key, ciphertext = excluded.ciphertext
      where t.confirmed_at is null
    returning 1
  )
  select exists (select from kept)
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.keep_wallet_challenge(nonce_hash bytea, purpose text, address text, issued_at timestamp with time zone, seconds integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from wallet_challenges c where c.expires_at <= now();
  insert into wallet_challenges (hash, purpose, address, issued_at, expires_at)
    values (nonce_hash, purpose, address, issued_at, now() + seconds * interval '1 second');
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.known_authorizations(chain_id integer, asset text, payers text[], nonces text[])
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select p.nonce from unnest(payers, nonces) as a (payer, nonce)
  join payments p on p.chain_id = known_authorizations.chain_id and p.asset = known_authorizations.asset
    and p.payer = a.payer and p.nonce = a.nonce
$function$
grant execute to gateway

CREATE OR REPLACE FUNCTION public.limit_source(source text, requests_per_second double precision, burst integer, quota bigint, quota_per text, operator text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  insert into source_orders (source, requests_per_second, burst, quota, quota_per)
    select s.name, requests_per_second, burst, quota, quota_per from sources s
    where s.name = source and (s.area <> 'nodes' or num_nonnulls(requests_per_second, burst) = 0)
    on conflict on constraint source_orders_pkey do update set requests_per_second = excluded.requests_per_second,
      burst = excluded.burst, quota = excluded.quota, quota_per = excluded.quota_per;
  if not found then return false; end if;
  insert into operator_actions (operator, action, subject) values (
    operator,
    'limit a source to ' || coalesce(requests_per_second || ' requests a second', 'its usual rate')
      || coalesce(', ' || burst || ' at once', '') || coalesce(', ' || quota || ' a ' || quota_per, ''),
    source
  );
  return true;
end $function$
grant execute to console

CREATE OR REPLACE FUNCTION public.lock_period(account_id uuid)
 RETURNS credit_periods
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  period credit_periods;
begin
  for attempt in 1..2 loop
    perform ensure_periods(array[account_id]);
    select * into period from credit_periods p
      where p.account_id = lock_period.account_id and p.is_open and p.fresh_until > now() for update;
    exit when found;
  end loop;
  return period;
end $function$

CREATE OR REPLACE FUNCTION public.lose_payment(payment_id uuid, transaction text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  update payments p set state = 'lost', last_error = 'transaction_reorganised'
    where p.id = payment_id and p.state = 'settled' and p.transaction = transaction;
  if not found then
    return false;
  end if;
  insert into revoked_sessions as r (subject) values (transaction)
    on conflict (subject) do update set revoked_at = now();
  return true;
end $function$
grant execute to gateway

CREATE OR REPLACE FUNCTION public.mark_account_dirty(account_id uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into scopes (account_id) select $1 where $1 is not null on conflict (account_id) do update set dirty_from = 'epoch'
$function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.mark_changed_part()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  changed transaction_parts := case when tg_op = 'DELETE' then old else new end;
begin
  if tg_op <> 'INSERT' then
    perform mark_transaction_part(old);
  end if;
  if tg_op <> 'DELETE' then
    perform mark_transaction_part(new);
  end if;
  if changed.part > 0 then
    perform mark_transaction_part(rest) from transaction_parts as rest
      where rest.connection_id = changed.connection_id and rest.kind = changed.kind and rest.key = changed.key
        and rest.part = 0;
  end if;
  return null;
end $function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.mark_defi_holders()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update defi_reads as read set is_holder = not read.is_holder
  from (select distinct wallet_id, network_id from changed) as change
  where read.wallet_id = change.wallet_id and read.network_id = change.network_id
    and read.is_holder <> exists (
      select from defi_positions where wallet_id = change.wallet_id and network_id = change.network_id);
  return null;
end $function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.mark_defi_wallets()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into defi_marks (wallet_id, network_id, block_number)
  select wallet_id, network_id, max(block_number) from changed
  where network_id in (select network_id from defi_deployments)
  group by 1, 2 order by 1, 2
  on conflict (wallet_id, network_id) do update set marked_at = clock_timestamp(), next_at = clock_timestamp(),
    attempts = 0, block_number = excluded.block_number;
  return null;
end $function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.mark_manual_dirty(portfolio_id uuid, from_at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into books (portfolio_id) values ($1) on conflict do nothing;
  insert into pl_states (book_id, dirty_from, legs_changed) select b.id, $2, true from books b where b.portfolio_id = $1
    on conflict (book_id) do update set dirty_from = least(pl_states.dirty_from, excluded.dirty_from), legs_changed = true
$function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.mark_synced_defi_wallet()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into defi_marks (wallet_id, network_id)
  select new.wallet_id, new.network_id
  where new.network_id in (select network_id from defi_deployments) and not exists (
    select from defi_reads where wallet_id = new.wallet_id and network_id = new.network_id and complete_at is not null)
  on conflict do nothing;
  return null;
end $function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.mark_transaction_part(part transaction_parts)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  -- null: the transaction is being deleted with its account
  stated_at timestamptz := (
    select t.at from exchange_transactions t
    where t.connection_id = part.connection_id and t.kind = part.kind and t.key = part.key);
  from_at timestamptz := coalesce(least(stated_at, case when stated_at is not null then part.at end), 'epoch');
begin
  update pl_states s set dirty_from = least(s.dirty_from, from_at), legs_changed = true
  from books b where b.id = s.book_id and b.connection_id in (part.connection_id, part.portfolio_id);
  if exists (select from portfolios p where p.id = part.portfolio_id and p.kind = 'manual') then
    perform mark_manual_dirty(part.portfolio_id, from_at);
  end if;
end $function$
grant execute to ingest

CREATE OR REPLACE FUNCTION public.market_alert_side(kind text, rule jsonb, market_id integer)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select case when $1 = 'market.resolved' then case when m.status in ('resolved', 'cancelled') then 1 else -1 end
    else alert_side(o.price, ($2->>'above')::numeric, ($2->>'below')::numeric, 0.005) end
  from prediction_markets m left join lateral (
    select o.price from prediction_outcomes o
    where o.market_id = m.id and ($2->>'outcomeId' is null or o.position = split_part($2->>'outcomeId', '-', 2)::integer)
    order by lower(o.name) = 'yes' desc, o.position limit 1
  ) o on true
  where m.id = $3
$function$
grant execute to api
grant execute to ingest

CREATE OR REPLACE FUNCTION public.note_import_preview(account_id uuid, upload_id uuid, previewed jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update import_uploads u set previewed = note_import_preview.previewed
  where u.id = upload_id and u.account_id = note_import_preview.account_id
$function$
grant execute to account

CREATE OR REPLACE FUNCTION public.note_operator_action(operator text, action text, subject text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into operator_actions (operator, action, subject) values (operator, action, subject)
$function$
grant execute to console

CREATE OR REPLACE FUNCTION public.note_refund(payment_id uuid, note text, operator text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  insert into payment_notes (payment_id, operator, note)
    select p.id, operator, note from payments p where p.id = payment_id and p.state in ('settled', 'unknown');
  if not found then return false; end if;
  insert into operator_actions (operator, action, subject) values (operator, 'note a refund', payment_id::text);
  return true;
end $function$
grant execute to console

CREATE OR REPLACE FUNCTION public.note_restore_check(backup_at timestamp with time zone, note text, operator text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with checked as (insert into restore_checks (backup_at, operator, note) values (backup_at, operator, note))
  insert into operator_actions (operator, action, subject)
  values (operator, 'note a verified restore', to_char(backup_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'))
$function$
grant execute to console

CREATE OR REPLACE FUNCTION public.note_revision()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  changed text := tg_table_name || coalesce('.' || tg_argv[0], '');
  noted text := 'sluice.noted_' || replace(changed, '.', '_');
  writing text := pg_current_xact_id()::text;
begin
  if current_setting(noted, true) = writing then return null; end if;
  perform set_config(noted, writing, true);
  update table_revisions set revision = gen_random_uuid()
  where table_name = changed and slot = (
    select slot from table_revisions where table_name = changed order by slot limit 1 for update skip locked);
  if not found then
    insert into table_revisions (table_name, slot, revision) values (changed, pg_backend_pid(), gen_random_uuid())
    on conflict (table_name, slot) do update set revision = excluded.revision;
  end if;
  return null;
end $function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.note_sign_in(subject text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update users u set signed_in_at = now() where u.subject = note_sign_in.subject
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.open_share(token_hash bytea, keyed_passcode bytea)
 RETURNS TABLE(refusal text, portfolio_id uuid, account_id uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
declare
  share record;
begin
  select s.id, s.portfolio_id, s.passcode_hash, p.account_id, a.degen into share
    from portfolio_shares s
    join portfolios p on p.id = s.portfolio_id
    join accounts a on a.id = p.account_id
    where s.token_hash = open_share.token_hash and s.revoked_at is null;
  refusal := case
    when not found then 'unknown'
    when not share.degen then 'unentitled'
    when share.passcode_hash is not null and not try_passcode(share.id, keyed_passcode) then 'passcode'
  end;
  if refusal is null then
    portfolio_id := share.portfolio_id;
    account_id := share.account_id;
  end if;
  return next;
end $function$
grant execute to gateway
grant execute to meter

CREATE OR REPLACE FUNCTION public.operator_appoint(issuer text, subject text, is_operator boolean, operator text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  if is_operator then
    insert into operators (issuer, subject) values (issuer, subject) on conflict do nothing;
  else
    delete from operators o where o.issuer = issuer and o.subject = subject;
  end if;
  if not found then return false; end if;
  insert into operator_actions (operator, action, subject)
    values (operator, case when is_operator then 'make somebody an operator' else 'take the console from somebody' end,
      subject);
  return true;
end $function$
grant execute to console

CREATE OR REPLACE FUNCTION public.operator_change_plan(account_id uuid, plan text, operator text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  if not exists (select from accounts a where a.id = account_id and a.name <> 'closed') then return false; end if;
  perform change_plan(account_id, plan);
  insert into operator_actions (operator, action, subject)
    values (operator, 'change the plan to ' || plan, account_id::text);
  return true;
end $function$
grant execute to console

CREATE OR REPLACE FUNCTION public.operator_create_key(account_id uuid, hash bytea, prefix text, name text, read_only boolean, opens text[], expires_at timestamp with time zone, operator text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  if not exists (select from accounts a where a.id = account_id and a.name <> 'closed') then return false; end if;
  insert into api_keys (account_id, hash, prefix, name, read_only, opens, expires_at)
    values (account_id, hash, prefix, name, read_only, opens, expires_at);
  insert into operator_actions (operator, action, subject)
    values (operator, 'create the key ' || prefix, account_id::text);
  return true;
end $function$
grant execute to console

CREATE OR REPLACE FUNCTION public.operator_of(session_hash bytea, issuer text)
 RETURNS TABLE(subject text, is_operator boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select s.subject, exists (select from operators o where o.issuer = s.issuer and o.subject = s.subject)
  from page_sessions s
  where s.hash = session_hash and s.issuer = operator_of.issuer and s.expires_at > now()
$function$
grant execute to console

CREATE OR REPLACE FUNCTION public.operator_open_account(name text, plan text, credits bigint, requests_per_second integer, operator text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  opened uuid;
begin
  insert into accounts (name, plan, credits_per_month, requests_per_second)
    values (name, plan, credits, requests_per_second) returning id into opened;
  insert into operator_actions (operator, action, subject)
    values (operator, 'open an account with the plan ' || plan, opened::text);
  return opened;
end $function$
grant execute to console

CREATE OR REPLACE FUNCTION public.operator_revoke_key(account_id uuid, prefix text, operator text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  revoked int;
begin
  update api_keys k set revoked_at = now()
    where k.account_id = account_id and k.prefix = prefix and k.revoked_at is null;
  get diagnostics revoked = row_count;
  if revoked > 0 then
    insert into operator_actions (operator, action, subject)
      values (operator, 'revoke the key ' || prefix, account_id::text);
  end if;
  return revoked;
end $function$
grant execute to console

CREATE OR REPLACE FUNCTION public.operator_top_up(grant_id text, account_id uuid, credits bigint, expires_at timestamp with time zone, operator text)
 RETURNS TABLE(valid_until timestamp with time zone, added boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  select g.valid_until, g.added into valid_until, added from grant_credits(grant_id, account_id, credits, expires_at) g;
  if added then
    insert into operator_actions (operator, action, subject)
      values (operator, 'add ' || credits || ' credits', account_id::text);
  end if;
  return next;
end $function$
grant execute to console

CREATE OR REPLACE FUNCTION public.order_backfill(resolution text, coin_ids text[], from_ms bigint, to_ms bigint, operator text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with asked as (
    insert into outbox (workflow, workflow_id, input) values (
      'fillPriceHistory',
      'fill-price-history:' || resolution || ':' || from_ms || ':' || to_ms || ':'
        || floor(extract(epoch from clock_timestamp()) * 1000),
      jsonb_build_object('resolution', resolution, 'coinIds', coin_ids, 'fromMs', from_ms, 'toMs', to_ms)
    )
  )
  insert into operator_actions (operator, action, subject) values (
    operator, 'back-fill prices by ' || resolution || ' of ' || cardinality(coin_ids) || ' coins',
    to_char(to_timestamp(from_ms / 1000.0) at time zone 'UTC', 'YYYY-MM-DD') || ' to '
      || to_char(to_timestamp(to_ms / 1000.0) at time zone 'UTC', 'YYYY-MM-DD')
  )
$function$
grant execute to console

CREATE OR REPLACE FUNCTION public.order_sync(address text, network_id text, connection_id uuid, operator text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  if connection_id is null then
    insert into outbox (workflow, workflow_id, input) values (
      'syncWallet', 'sync:' || address || ':' || network_id,
      jsonb_build_object('address', address, 'networkId', network_id)
    );
  else
    insert into outbox (workflow, workflow_id, input) values (
      'syncExchange', 'exchange:' || connection_id, jsonb_build_object('connectionId', connection_id)
    );
  end if;
  insert into operator_actions (operator, action, subject) values (
    operator,
    case when connection_id is null then 'sync a wallet on ' || network_id else 'sync an exchange account' end,
    coalesce(connection_id::text, address)
  );
  return clock_timestamp();
end $function$
grant execute to console

CREATE OR REPLACE FUNCTION public.pass_code_try(subject text, address text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select uncount_address_try(address);
  delete from sign_in_tries t where t.kind = 'code' and t.key = subject;
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.pass_network_try(address text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select uncount_address_try(address)
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.pass_sign_in(name text, address text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select uncount_address_try(address);
  delete from sign_in_tries t where t.kind = 'name' and t.key = pass_sign_in.name;
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.pause_source(source text, is_paused boolean, operator text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  insert into source_orders as known (source, is_paused)
    select s.name, is_paused from sources s where s.name = source
    on conflict on constraint source_orders_pkey do update set is_paused = excluded.is_paused
      where known.is_paused <> excluded.is_paused;
  if not found then return false; end if;
  insert into operator_actions (operator, action, subject)
    values (operator, case when is_paused then 'pause a source' else 'resume a source' end, source);
  return true;
end $function$
grant execute to console

CREATE OR REPLACE FUNCTION public.payment_is_held(owner uuid, try_after timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select try_after > clock_timestamp()
    and exists (select from payment_owners o where o.id = owner and o.alive_until > clock_timestamp())
$function$

CREATE OR REPLACE FUNCTION public.payments_to_confirm(chain_id integer, from_block bigint, transactions text[], at_most integer)
 RETURNS TABLE(payment_id uuid, chain integer, asset text, payer text, nonce text, amount bigint, pay_to text, transaction text, block_number bigint, claimed_at timestamp with time zone, valid_before timestamp with time zone, is_lost boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  (select p.id, p.chain_id, p.asset, p.payer, p.nonce, p.amount, p.pay_to, p.transaction, p.block_number, p.claimed_at,
      p.valid_before, false
    from payments p
    where p.chain_id = payments_to_confirm.chain_id and p.state = 'settled' and p.block_number >= from_block
      and p.transaction <> all (transactions)
    order by p.block_number limit at_most)
  union all
  (select p.id, p.chain_id, p.asset, p.payer, p.nonce, p.amount, p.pay_to, p.transaction, p.block_number, p.claimed_at,
      p.valid_before, true
    from payments p
    where p.chain_id = payments_to_confirm.chain_id and p.state = 'lost'
      and p.valid_before > clock_timestamp() - interval '10 minutes'
    limit at_most)
$function$
grant execute to gateway

CREATE OR REPLACE FUNCTION public.period_number(anchor_at timestamp with time zone, at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select greatest(0, months - (period_start(anchor_at, months) > at)::integer)
  from (select 12 * (extract(year from at at time zone 'UTC') - extract(year from anchor_at at time zone 'UTC'))::integer
             + (extract(month from at at time zone 'UTC') - extract(month from anchor_at at time zone 'UTC'))::integer as months)
$function$

CREATE OR REPLACE FUNCTION public.period_start(anchor_at timestamp with time zone, n integer)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select (anchor_at at time zone 'UTC' + make_interval(months => n)) at time zone 'UTC'
$function$

CREATE OR REPLACE FUNCTION public.post_entry(request_id uuid, kind text, account_id uuid, n integer, credits bigint, endpoint text, price_input text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  change bigint := case kind when 'refund' then -credits else credits end;
  entry_at timestamptz;
begin
  insert into ledger_entries as l (request_id, kind, account_id, n, credits, endpoint, price_input, at)
    select request_id, kind, account_id, n, credits, endpoint, price_input, greatest(now(), p.starts_at)
    from credit_periods p where p.account_id = post_entry.account_id and p.n = post_entry.n
    on conflict do nothing returning l.at into entry_at;
  if entry_at is null then return false; end if;
  insert into usage_days as d (account_id, day, endpoint, calls, credits)
    values (account_id, (entry_at at time zone 'UTC')::date, endpoint, (kind = 'charge')::integer, change)
    on conflict on constraint usage_days_pkey
      do update set calls = d.calls + excluded.calls, credits = d.credits + excluded.credits;
  update credit_periods p set posted = p.posted + change
    where p.account_id = post_entry.account_id and p.n = post_entry.n;
  return true;
end $function$

CREATE OR REPLACE FUNCTION public.publish_events(source_ids bigint[], data text[], costs integer[], plans text[], rates integer[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  events integer;
  moment timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('publish_events', 0));
  moment := clock_timestamp();
  perform ensure_event_partitions(moment);
  with gone as (
    delete from event_sources s using unnest(source_ids, data, costs) as told (id, data, credits)
    where s.id = told.id
    -- Operations are told at once, and what happened in its order.
    returning s.*, told.data, told.credits, s.kind not in ('endpoint.disabled', 'test.ping') as is_ordered
  ), told as materialized (
    select row_number() over (order by g.id, r.account_id) as n, uuidv7() as event_id, r.account_id, r.endpoint_ids,
      g.kind, g.wallet_id, g.network_id, g.tx_hash, g.data, g.payload ->> 'status' as status,
      case when r.is_told then 0 else g.credits end as credits, g.is_ordered
    from gone g
    cross join lateral (
      select g.account_id, account_event_endpoints(g.account_id, g.kind, g.payload) as endpoint_ids, false as is_told
      where g.account_id is not null
      union all
      select r.* from event_receivers(g.kind, g.wallet_id, g.network_id, g.tx_hash, g.payload) r
      where g.account_id is null
    ) r
  ), noted as (
    insert into told_transactions as known (network_id, wallet_id, tx_hash, account_id, endpoint_ids)
    select network_id, wallet_id, tx_hash, account_id, endpoint_ids from told
    where kind = 'wallet.transaction' and status = 'unconfirmed'
    on conflict (network_id, wallet_id, tx_hash, account_id) do update
      set endpoint_ids = array(select unnest(known.endpoint_ids) union select unnest(excluded.endpoint_ids))
  ), forgotten as (
    delete from told_transactions t using gone g
    where g.kind = 'wallet.transaction' and g.payload ->> 'status' = 'confirmed'
      and t.network_id = g.network_id and t.wallet_id = g.wallet_id and t.tx_hash = g.tx_hash
  ), rooms as materialized (
    select a.id as account_id, event_room(a.id, p.rate, moment) as room,
      exists (select from account_events h where h.held and h.account_id = a.id) as is_holding
    from (select distinct account_id from told where is_ordered) t
    join accounts a on a.id = t.account_id
    join unnest(plans, rates) as p (plan, rate) on p.plan = a.plan
  ), placed as materialized (
    select t.*, t.is_ordered and (r.is_holding
      or row_number() over (partition by t.account_id, t.is_ordered order by t.n) > r.room) as waits
    from told t left join rooms r using (account_id)
  ), payable as materialized (
    select n, event_id, account_id, credits, kind, row_number() over (order by n) as place
    from placed where credits > 0 and not waits
  ), refusals as materialized (
    select unnest(c.refused) as place from charge_batch(
      array(select event_id from payable order by place), array(select account_id from payable order by place),
      array(select credits::bigint from payable order by place), array(select kind from payable order by place),
      array(select null::text from payable order by place)) c
  ), unpaid as (
    select account_id, n from payable join refusals using (place)
  ), first_unpaid as (
    select account_id, min(n) as n from unpaid group by account_id
  ), judged as (
    -- A free event tells of an earlier one, so it is not sent before that.
    select t.*, t.waits or u.n is not null or (t.credits = 0 and t.is_ordered and coalesce(f.n < t.n, false)) as held
    from placed t left join unpaid u using (n) left join first_unpaid f on f.account_id = t.account_id order by n
  ), numbered as materialized (
    select *, case when not held then nextval('event_numbers') end as seq from judged
  ), written as (
    insert into account_events
      (seq, account_id, id, type, wallet_id, network_id, tx_hash, body, credits, held, created_at, endpoint_ids)
    select seq, account_id, event_id, kind, wallet_id, network_id, tx_hash,
      event_body(event_id, kind, moment, seq, numbered.data), credits, held, moment, endpoint_ids
    from numbered
    returning seq, wallet_id, endpoint_ids
  ), counted as (
    insert into event_rates as r (account_id, room, at)
    select account_id, room - count(*), moment from numbered join rooms using (account_id)
    where seq is not null and is_ordered group by account_id, room
    on conflict (account_id) do update set room = excluded.room, at = excluded.at
  ), queued as (
    insert into deliveries (endpoint_id, seq, lane)
    select d.endpoint_id, d.seq, d.lane from written w
    cross join deliveries_of(w.seq, w.wallet_id, w.endpoint_ids) d where w.seq is not null
  )
  select count(*) into events from written;
  return events;
end $function$
grant execute to ingest

CREATE OR REPLACE FUNCTION public.rank_changed_wallet_transactions()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform rank_wallet_transactions(array_agg(wallet_id), array_agg(series), array_agg(from_at))
  from (
    select wallet_id, network_id as series, min(at) as from_at from changed group by wallet_id, network_id
    union all
    select wallet_id, '', min(at) from changed join wallet_syncs using (wallet_id, network_id)
    where synced_at is not null and exists (select from networks where id = network_id and in_all) group by wallet_id
  ) as change
  having count(*) > 0;
  return null;
end $function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.rank_synced_wallet()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform rank_wallet_transactions(array[coalesce(new.wallet_id, old.wallet_id)], array[''], array['-infinity'::timestamptz]);
  return null;
end $function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.rank_wallet_transactions(for_wallets bigint[], for_series text[], from_instants timestamp with time zone[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into wallet_transaction_counts as count (wallet_id, series, rows)
    select wallet_id, series, 0 from unnest(for_wallets, for_series) as changed (wallet_id, series) order by 1, 2 desc
    on conflict (wallet_id, series) do update set rows = count.rows;
  delete from wallet_transaction_anchors as anchor
    using unnest(for_wallets, for_series, from_instants) as changed (wallet_id, series, from_at)
    where anchor.wallet_id = changed.wallet_id and anchor.series = changed.series and at >= from_at;
  with changed as materialized (
    select wallet_id, series, coalesce(last.rank, 0) as rank, coalesce(last.at, '-infinity') as at,
      coalesce(last.network_id, '') as network_id, coalesce(last.tx_index, 0) as tx_index, coalesce(last.hash, '') as hash,
      case when series <> '' then array[series] else array(
        select network_id from wallet_syncs as sync where wallet_id = one.wallet_id and synced_at is not null
          and exists (select from networks where id = sync.network_id and in_all)) end as networks
    from unnest(for_wallets, for_series) as one (wallet_id, series)
    left join lateral (
      select * from wallet_transaction_anchors
      where wallet_id = one.wallet_id and series = one.series order by rank desc limit 1) as last using (wallet_id, series)
  ), ranked as materialized (
    select changed.wallet_id, changed.series, row.at, row.network_id, row.tx_index, row.hash,
      -- A series without further rows keeps the rank of its last anchor.
      changed.rank + case when row.hash is null then 0 else row_number() over (
        partition by changed.wallet_id, changed.series order by row.at, row.network_id, row.tx_index, row.hash) end as rank
    from changed left join lateral (
      select at, network_id, tx_index, hash from wallet_transactions as one
      where one.wallet_id = changed.wallet_id and one.network_id = any(changed.networks) and one.at >= changed.at
        and (one.at, one.network_id, one.tx_index, one.hash)
          > (changed.at, changed.network_id, changed.tx_index, changed.hash)) as row on true
  ), anchored as (
    insert into wallet_transaction_anchors
    select wallet_id, series, rank, at, network_id, tx_index, hash from ranked where rank % 50 = 0 and hash is not null
  )
  insert into wallet_transaction_counts as count (wallet_id, series, rows, revision)
    select wallet_id, series, max(rank), gen_random_uuid() from ranked group by wallet_id, series order by 1, 2 desc
    on conflict (wallet_id, series) do update set rows = excluded.rows, revision = excluded.revision;
end $function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.refresh_period(account_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
declare
  account uuid := refresh_period.account_id;
  period credit_periods;
  unwritten bigint;
begin
  perform from credit_periods p where p.account_id = account and p.is_open for update;
  select * into period from credit_periods p where p.account_id = account and p.is_open;
  -- Another session may have refreshed it already.
  if period.fresh_until > now() then return; end if;

  if period.n is not null then
    unwritten := 0;
    if period.ends_at <= now() or exists (
      select from credit_grants where account_id = account and spent < credits
        and expires_at >= period.fresh_until and expires_at <= now())
    then
      unwritten := greatest(0, period.posted - (period.granted - period.topped_up) - period.topups_spent);
    end if;
    update credit_grants g set spent = g.spent + t.credits
    from (
      select id, least(left_over, greatest(0, unwritten - before)) as credits
      from (
        select id, credits - spent as left_over, coalesce(sum(credits - spent)
          over (order by expires_at, id rows between unbounded preceding and 1 preceding), 0) as before
        -- Top-ups that were valid until now: fresh_until is never later than the earliest expiry.
        from credit_grants where account_id = account and spent < credits and expires_at >= period.fresh_until
      ) valid
    ) t
    where g.id = t.id and t.credits > 0;
    update credit_periods p set topups_spent = topups_spent + unwritten, is_open = p.ends_at > now(),
      topped_up = case when p.ends_at > now() then p.topups_spent + unwritten + v.credits else p.topped_up end,
      granted = case when p.ends_at > now()
        then p.granted - p.topped_up + p.topups_spent + unwritten + v.credits else p.granted end,
      fresh_until = least(p.ends_at, v.next_at)
    from valid_top_ups(account) v where p.account_id = account and p.n = period.n;
    if period.ends_at > now() then return; end if;
  end if;
  -- Read the plan only here: a change of plan holds the lock of the previous period.
  insert into credit_periods (account_id, n, starts_at, ends_at, granted, topped_up, fresh_until)
  select a.id, c.n, period_start(a.anchor_at, c.n), c.ends_at,
    coalesce(a.credits_per_month, p.credits_per_month) + v.credits, v.credits, least(c.ends_at, v.next_at)
  from accounts a join plans p on p.id = a.plan, valid_top_ups(a.id) v,
    lateral (select period_number(a.anchor_at, now()) as n) m,
    lateral (select m.n, period_start(a.anchor_at, m.n + 1) as ends_at) c
  where a.id = account
  on conflict do nothing;
  -- Another session inserted it: lock it here, to keep the order of the accounts.
  if not found then
    perform from credit_periods p where p.account_id = account and p.is_open for update;
  end if;
end $function$

CREATE OR REPLACE FUNCTION public.refund_charge(request_id uuid, credits bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  charge ledger_entries;
  period credit_periods;
begin
  select * into charge from ledger_entries l where l.request_id = refund_charge.request_id and l.kind = 'charge';
  if charge.n is null or credits <= 0 or credits > charge.credits then return false; end if;
  period := lock_period(charge.account_id);
  if period.n <> charge.n then return false; end if;
  return post_entry(request_id, 'refund', charge.account_id, charge.n, credits, charge.endpoint, charge.price_input);
end $function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.release_held_events(plans text[], rates integer[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  holder record;
  period credit_periods;
  released integer;
  moment timestamptz;
  total integer := 0;
begin
  if not exists (select from account_events where held) then return 0; end if;
  perform pg_advisory_xact_lock(hashtextextended('publish_events', 0));
  moment := clock_timestamp();
  for holder in
    -- One look at the index for each account, however many events it holds.
    with recursive holders as (
      (select account_id from account_events where held order by account_id limit 1)
      union all
      select (select e.account_id from account_events e where e.held and e.account_id > h.account_id
        order by e.account_id limit 1)
      from holders h where h.account_id is not null
    )
    select h.account_id as id, event_room(h.account_id, r.rate, moment) as room from holders h
    join accounts a on a.id = h.account_id
    join unnest(plans, rates) as r (plan, rate) on r.plan = a.plan
    left join credit_periods p on p.account_id = h.account_id and p.is_open and p.fresh_until > now()
    cross join lateral (
      select e.credits from account_events e where e.held and e.account_id = h.account_id
      order by e.created_at, e.id limit 1) oldest
    where p.account_id is null or oldest.credits <= p.granted - p.posted
    order by h.account_id
  loop
    continue when holder.room < 1;
    period := lock_period(holder.id);
    with waiting as (
      select e.id, e.created_at, e.type, e.credits, e.endpoint_ids,
        row_number() over o as n, sum(e.credits) over o as due
      from account_events e where e.held and e.account_id = holder.id
      window o as (order by e.created_at, e.id) order by e.created_at, e.id limit floor(holder.room)
    ), affordable as materialized (
      select * from waiting where due <= period.granted - period.posted
    ), charged as materialized (
      select count(*) from charge_batch(
        array(select id from affordable where credits > 0 order by n),
        array(select holder.id from affordable where credits > 0),
        array(select credits::bigint from affordable where credits > 0 order by n),
        array(select type from affordable where credits > 0 order by n),
        array(select null::text from affordable where credits > 0)) c
    ), numbered as materialized (
      select o.*, nextval('event_numbers') as seq
      from (select a.* from affordable a cross join charged order by n) o
    ), written as (
      update account_events e set seq = n.seq, held = false,
        body = regexp_replace(e.body, '"seq":null', '"seq":"' || n.seq || '"')
      from numbered n where e.id = n.id and e.created_at = n.created_at and e.account_id = holder.id and e.held
      returning n.seq, e.wallet_id, n.endpoint_ids
    ), queued as (
      insert into deliveries (endpoint_id, seq, lane)
      select d.endpoint_id, d.seq, d.lane from written w
      cross join deliveries_of(w.seq, w.wallet_id, w.endpoint_ids) d
    )
    select count(*) into released from written;
    if released > 0 then
      insert into event_rates as r (account_id, room, at) values (holder.id, holder.room - released, moment)
        on conflict (account_id) do update set room = excluded.room, at = excluded.at;
    end if;
    total := total + released;
  end loop;
  return total;
end $function$
grant execute to ingest

CREATE OR REPLACE FUNCTION public.release_payment(payment_id uuid, claim uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  delete from payments p where p.id = payment_id and p.claim = claim
    and (p.state = 'claimed' or (p.state = 'settling' and p.settles = 1));
  return found;
end $function$
grant execute to gateway

CREATE OR REPLACE FUNCTION public.remove_user_wallet(subject text, address text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from user_wallets w where w.user_subject = subject and w.address = remove_user_wallet.address
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.renew_payment_owner(owner uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into payment_owners as o (id, alive_until) values (owner, clock_timestamp() + interval '4 seconds')
  on conflict (id) do update set alive_until = excluded.alive_until
$function$
grant execute to gateway

CREATE OR REPLACE FUNCTION public.renew_recovery_codes(subject text, code_hashes bytea[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from user_recovery_codes c where c.user_subject = subject;
  insert into user_recovery_codes (user_subject, hash) select subject, unnest(code_hashes);
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.replay_write(account_id uuid, idempotency_key text, fingerprint bytea)
 RETURNS TABLE(replayed_body text, mismatch boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select case when i.fingerprint = replay_write.fingerprint then i.body end, i.fingerprint <> replay_write.fingerprint
  from idempotent_answers i
  where i.account_id = replay_write.account_id and i.key = idempotency_key
$function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.reset_user(name text, token_hash bytea, operator text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  subject text;
begin
  update users u set password_hash = null where u.name = reset_user.name returning u.subject into subject;
  if subject is null then
    return false;
  end if;
  insert into user_invitations (user_subject, hash, expires_at) values (subject, token_hash, now() + interval '3 days')
    on conflict on constraint user_invitations_pkey do update
      set hash = excluded.hash, expires_at = excluded.expires_at;
  perform drop_user_totp(subject);
  delete from user_wallets w where w.user_subject = subject;
  delete from sign_in_tries t where t.kind = 'name' and t.key = name or t.kind = 'code' and t.key = subject;
  perform end_sessions_of_user(subject);
  insert into operator_actions (operator, action, subject) values (operator, 'reset a user', name);
  return true;
end $function$
grant execute to console

CREATE OR REPLACE FUNCTION public.retry_quarantined(id bigint, operator text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  update quarantine q set retry_state = 'asked', retry_at = now(), retry_failure = null
    where q.id = retry_quarantined.id and q.activity is not null and q.area <> 'exchanges'
      -- After an hour a retry may be requested again, in case its workflow was terminated.
      and (q.retry_state is distinct from 'asked' or q.retry_at < now() - interval '1 hour');
  if found then
    insert into outbox (workflow, workflow_id, input)
      values (
        'retryQuarantined',
        'retry-quarantined:' || id || ':' || floor(extract(epoch from now()) * 1000),
        jsonb_build_object('id', id::text)
      );
    insert into operator_actions (operator, action, subject)
      values (operator, 'retry a quarantined row', 'row ' || id);
    return true;
  end if;
  return false;
end $function$
grant execute to console

CREATE OR REPLACE FUNCTION public.revise_wallet_transactions()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update wallet_transaction_counts as count set revision = gen_random_uuid()
    from (select distinct wallet_id, network_id from changed) as change
    where count.wallet_id = change.wallet_id and count.series in ('', change.network_id);
  return null;
end $function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.revoke_account_key(account_id uuid, prefix text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  update api_keys k set revoked_at = now()
    where k.account_id = revoke_account_key.account_id and k.prefix = revoke_account_key.prefix
      and k.revoked_at is null;
  return found;
end $function$
grant execute to account

CREATE OR REPLACE FUNCTION public.revoke_account_kit(account_id uuid, kit_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  delete from connect_kits k where k.id = kit_id and k.account_id = revoke_account_kit.account_id;
  return found;
end $function$
grant execute to account

CREATE OR REPLACE FUNCTION public.revoke_account_share(account_id uuid, share_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  update portfolio_shares s set revoked_at = now() from portfolios p
    where s.id = share_id and s.revoked_at is null and p.id = s.portfolio_id
      and p.account_id = revoke_account_share.account_id;
  return found;
end $function$
grant execute to account

CREATE OR REPLACE FUNCTION public.revoke_issuer_grant(grant_id text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from issuer_records r where r.grant_id = revoke_issuer_grant.grant_id
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.rotate_account_share(account_id uuid, share_id uuid, token_hash bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  update portfolio_shares s
    set token_hash = rotate_account_share.token_hash, wrong_passcodes = 0, locked_until = null
    from portfolios p
    where s.id = share_id and s.revoked_at is null and p.id = s.portfolio_id
      and p.account_id = rotate_account_share.account_id;
  return found;
end $function$
grant execute to account

CREATE OR REPLACE FUNCTION public.scope_methods(scope_id bigint)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select 'average' from scopes s where s.id = $1 and s.account_id is null
  union
  select b.cost_method from portfolio_books b where b.book_id = (select s.book_id from scopes s where s.id = $1)
  union
  select a.cost_method from accounts a where a.id = (select s.account_id from scopes s where s.id = $1)
$function$
grant execute to ingest

CREATE OR REPLACE FUNCTION public.set_user_enabled(name text, enabled boolean, operator text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  subject text;
begin
  update users u set disabled_at = case when not enabled then coalesce(u.disabled_at, now()) end
    where u.name = set_user_enabled.name returning u.subject into subject;
  if subject is null then
    return false;
  end if;
  if not enabled then
    perform end_sessions_of_user(subject);
  end if;
  insert into operator_actions (operator, action, subject)
    values (operator, case when enabled then 'enable a user' else 'disable a user' end, name);
  return true;
end $function$
grant execute to console

CREATE OR REPLACE FUNCTION public.settle_payment(payment_id uuid, transaction text, extra text, durable boolean DEFAULT true, block_number bigint DEFAULT NULL::bigint, pay_to text DEFAULT NULL::text)
 RETURNS TABLE(settled_transaction text, settled_extra text, settled_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_variable
begin
  if not durable then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  update payments p set state = 'settled', transaction = transaction, extra = extra, settled_at = clock_timestamp(),
      block_number = block_number, pay_to = case when block_number is not null then pay_to end,
      owner = null, request = null, last_error = null
    where p.id = payment_id and p.state in ('settling', 'unknown', 'lost');
  return query select p.transaction, p.extra, p.settled_at from payments p where p.id = payment_id and p.state = 'settled';
end $function$
grant execute to gateway

CREATE OR REPLACE FUNCTION public.settled_block(network_id text, head_block bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select coalesce(greatest(f.confirmed_block,
    case when coalesce(f.mode, 'off') = 'off' then $2 - n.reorg_depth end), -1)
  from networks n left join network_follows f on f.network_id = n.id
  where n.id = $1
$function$
grant execute to ingest

CREATE OR REPLACE FUNCTION public.share_passcode_hash(share_id uuid, keyed bytea)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select sha256(uuid_send(share_id) || keyed)
$function$

CREATE OR REPLACE FUNCTION public.silence_incidents(rule text, subject text, hours integer, reason text, operator text)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with silence as (
    insert into incident_silences (rule, subject, until, reason, created_by)
    values (rule, subject, clock_timestamp() + hours * interval '1 hour', reason, operator)
    returning id
  ), noted as (
    insert into operator_actions (operator, action, subject)
    values (operator, 'silence incidents for ' || hours || ' h', trim(rule || ' ' || coalesce(subject, '')))
  )
  select id from silence
$function$
grant execute to console

CREATE OR REPLACE FUNCTION public.store_payment(payment_id uuid, claim uuid, request text, status_code integer, content_type text, headers jsonb, body bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_variable
declare
  valid_before timestamptz;
begin
  -- Longer than the deadlines for verify (5 s) and settle (30 s) together.
  update payments p set state = 'settling', settles = 1, request = request, try_after = clock_timestamp() + interval '60 seconds'
    where p.id = payment_id and p.claim = claim and p.state = 'claimed'
    returning p.valid_before into valid_before;
  if not found then
    return false;
  end if;
  insert into payment_answers (payment_id, status_code, content_type, headers, body, expires_at)
    values (payment_id, status_code, content_type, headers, body, valid_before + interval '1 hour');
  return true;
end $function$
grant execute to gateway

CREATE OR REPLACE FUNCTION public.sync_subject(portfolio uuid)
 RETURNS TABLE(kind text, address text, network_id text, venue text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select p.kind, p.address, p.network_id, e.venue
  from portfolios p left join exchange_connections e on e.id = p.id where p.id = portfolio
$function$
grant execute to console

CREATE OR REPLACE FUNCTION public.take_open_payments(owner uuid, only_id uuid, at_most integer)
 RETURNS TABLE(payment_id uuid, chain_id integer, asset text, payer text, nonce text, amount bigint, request text, claimed_at timestamp with time zone, asked boolean, ended boolean, abandoned boolean)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update payments p set owner = take_open_payments.owner, try_after = clock_timestamp() + interval '90 seconds',
      settles = p.settles + 1
    where p.id in (
      select o.id from payments o
      where o.state in ('settling', 'unknown') and (only_id is null or o.id = only_id)
        and (o.try_after <= clock_timestamp() or (o.owner is not null and not payment_is_held(o.owner, o.try_after)))
      order by o.try_after limit at_most for update skip locked)
    returning p.id, p.chain_id, p.asset, p.payer, p.nonce, p.amount, p.request, p.claimed_at,
      p.state = 'unknown', p.valid_before <= clock_timestamp(), p.valid_before <= clock_timestamp() - interval '10 minutes'
$function$
grant execute to gateway

CREATE OR REPLACE FUNCTION public.take_wallet_challenge(nonce_hash bytea, purpose text)
 RETURNS TABLE(address text, issued_at timestamp with time zone)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from wallet_challenges c
  where c.hash = nonce_hash and c.purpose = take_wallet_challenge.purpose and c.expires_at > now()
  returning c.address, c.issued_at
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.try_passcode(share_id uuid, keyed bytea)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_variable
declare
  share portfolio_shares;
  nonce bytea := uuid_send(gen_random_uuid());
  wrong integer;
begin
  -- A locked share refuses at once, without waiting for the row lock.
  if keyed is null or exists (
    select from portfolio_shares s where s.id = share_id and s.locked_until > clock_timestamp()) then
    return false;
  end if;
  -- The row lock puts tries of one share in sequence, so that parallel tries cannot exceed the limit.
  select * into share from portfolio_shares s where s.id = share_id for update;
  if share.locked_until > clock_timestamp() then
    return false;
  end if;
  -- Hashed with a nonce, so that the time of the comparison reveals nothing about the digests.
  if sha256(nonce || share.passcode_hash) = sha256(nonce || share_passcode_hash(share_id, keyed)) then
    if share.wrong_passcodes > 0 then
      update portfolio_shares s set wrong_passcodes = 0, locked_until = null where s.id = share_id;
    end if;
    return true;
  end if;
  wrong := share.wrong_passcodes + 1;
  update portfolio_shares s set wrong_passcodes = wrong, locked_until = case
      when wrong >= 100 then 'infinity'
      when wrong % 5 = 0 then clock_timestamp() + interval '15 minutes' * 2 ^ (wrong / 5 - 1)
    end
    where s.id = share_id;
  return false;
end $function$

CREATE OR REPLACE FUNCTION public.uncount_address_try(address text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update sign_in_tries t set
    wrong = t.wrong - 1,
    locked_until = case when t.wrong % 20 > 0 then t.locked_until end
    where t.kind = 'address' and t.key = address and t.wrong > 0
$function$

CREATE OR REPLACE FUNCTION public.update_coin_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
grant execute to account
grant execute to api
grant execute to console
grant execute to gateway
grant execute to ingest
grant execute to issuer
grant execute to meter

CREATE OR REPLACE FUNCTION public.usage_by_day(account_id uuid, since date)
 RETURNS TABLE(day date, endpoint text, calls bigint, credits bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select u.day, u.endpoint, u.calls, u.credits from usage_days u
  where u.account_id = usage_by_day.account_id and u.day >= since
  order by u.day, u.endpoint
$function$
grant execute to account

CREATE OR REPLACE FUNCTION public.use_event_ticket(hash bytea)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from event_tickets t where t.hash = $1 returning case when t.expires_at > now() then t.account_id end
$function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.use_recovery_code(subject text, code_hash bytea)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with used as (
    delete from user_recovery_codes c where c.user_subject = subject and c.hash = code_hash returning 1
  )
  select exists (select from used)
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.use_totp_step(subject text, step bigint)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with used as (
    update user_totp t set last_step = step
    where t.user_subject = subject and t.confirmed_at is not null and t.last_step < step
    returning 1
  )
  select exists (select from used)
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.user_of_wallet(address text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select u.subject from user_wallets w join users u on u.subject = w.user_subject
  where w.address = user_of_wallet.address and u.disabled_at is null
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.user_totp_secret(subject text)
 RETURNS TABLE(key_id text, wrapped_key bytea, ciphertext bytea, is_confirmed boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select t.key_id, t.wrapped_key, t.ciphertext, t.confirmed_at is not null from user_totp t
  where t.user_subject = user_totp_secret.subject
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.user_wallet_list(subject text)
 RETURNS TABLE(address text, added_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select w.address, w.added_at from user_wallets w where w.user_subject = subject order by w.added_at, w.address
$function$
grant execute to issuer

CREATE OR REPLACE FUNCTION public.valid_top_ups(account_id uuid)
 RETURNS TABLE(credits bigint, next_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select coalesce(sum(c.credits - c.spent), 0)::bigint, min(c.expires_at) from credit_grants c
  where c.account_id = valid_top_ups.account_id and c.spent < c.credits and c.expires_at > now()
$function$

CREATE OR REPLACE FUNCTION public.wallet_sync_state(address text, network_id text)
 RETURNS TABLE(taken boolean, head bigint, cursor_block bigint, normalised_block bigint, synced_at timestamp with time zone, failed_at timestamp with time zone, failure text, stored bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select not exists (
      select from outbox where workflow_id = 'sync:' || wallet_sync_state.address || ':' || wallet_sync_state.network_id
        and dispatched_at is null
    ), sync.head_block, coalesce(sync.cursor_block, 0), coalesce(sync.normalised_block, 0), sync.synced_at,
    sync.failed_at, sync.failure,
    (select count(*) from wallet_transactions t
      where t.wallet_id = wallet.id and t.network_id = wallet_sync_state.network_id)
  from (select 1) as one left join wallets as wallet on wallet.address = wallet_sync_state.address
  left join wallet_syncs as sync on sync.wallet_id = wallet.id and sync.network_id = wallet_sync_state.network_id
$function$
grant execute to console

CREATE OR REPLACE FUNCTION public.watch_events(account_id uuid, addresses text[], types text[], most integer, lasts interval)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  wanted bigint[];
  watched integer;
begin
  if addresses is not null then
    insert into wallets (address) select distinct a from unnest(addresses) a on conflict do nothing;
    -- A statement of its own sees wallets that others have inserted meanwhile.
    wanted := array(select w.id from wallets w where w.address = any (addresses));
    select count(distinct w) into watched from (
      select unnest(wanted) as w
      union all
      select s.wallet_id from event_subscriptions s where s.account_id = watch_events.account_id
        and s.wallet_id is not null and (s.expires_at is null or s.expires_at > now())
    ) all_of_it;
    if watched > most then return false; end if;
  end if;
  insert into event_subscriptions as s (account_id, wallet_id, types, expires_at)
    select account_id, w, types, now() + lasts from unnest(coalesce(wanted, array[null::bigint])) w
    -- Readers that ask often write seldom.
    on conflict on constraint event_subscriptions_once do update set expires_at = excluded.expires_at
      where s.expires_at < excluded.expires_at - interval '1 hour';
  return true;
end $function$
grant execute to meter

CREATE OR REPLACE FUNCTION public.watch_wallets(account_id uuid, endpoint_id uuid, watched jsonb, most integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
begin
  if watched = '"all"' then
    insert into event_subscriptions (account_id, endpoint_id) values (account_id, endpoint_id) on conflict do nothing;
    return;
  end if;
  insert into wallets (address)
    select distinct n.address from jsonb_to_recordset(watched) as n (address text)
    where not exists (select from wallets w where w.address = n.address) order by n.address
    on conflict do nothing;
  insert into event_subscriptions (account_id, endpoint_id, wallet_id, network_id)
    select account_id, endpoint_id, w.id, n."networkId"
    from jsonb_to_recordset(watched) as n (address text, "networkId" text) join wallets w on w.address = n.address
    on conflict do nothing;
  if (select count(distinct s.wallet_id) from event_subscriptions s
      where s.account_id = watch_wallets.account_id and (s.expires_at is null or s.expires_at > now())) > most then
    raise exception 'the plan has no more wallets' using errcode = 'SL001';
  end if;
end $function$

CREATE OR REPLACE FUNCTION public.watches_portfolios(account_id uuid, kind text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (
    select from event_subscriptions s left join webhook_endpoints e on e.id = s.endpoint_id
    where s.account_id = $1 and s.wallet_id is null and (s.expires_at is null or s.expires_at > now())
      and $2 = any (coalesce(e.types, s.types, array[$2])))
$function$
grant execute to ingest

CREATE OR REPLACE FUNCTION as_of.fold_coins(fold_id bigint)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with recursive held (coin_id) as (
    (select c.coin_id from past.coin_folds c where c.fold_id = $1 order by c.coin_id limit 1)
    union all
    select (select c.coin_id from past.coin_folds c where c.fold_id = $1 and c.coin_id > held.coin_id order by c.coin_id limit 1)
    from held where held.coin_id is not null
  ) select coin_id from held where coin_id is not null
  union
  select public.fold_coins($1)
$function$
grant execute to api

CREATE OR REPLACE FUNCTION past.end_write()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_temp'
AS $function$
begin
  update past.writes w set visible_at = clock_timestamp() where w.began_at = new.began_at and w.xid = new.xid;
  return null;
end $function$

CREATE OR REPLACE FUNCTION past.forget(before timestamp with time zone, batch integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$
grant execute to ingest

CREATE OR REPLACE FUNCTION past.hold_coins()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  execute format(
    'insert into past.coins_held select distinct coin_id from (%s) as held (coin_id)
     where coin_id is not null and not exists (select from past.coins_held known where known.coin_id = held.coin_id)',
    tg_argv[0]);
  return null;
end $function$

CREATE OR REPLACE FUNCTION past.keep(relation name, key text, columns text, held text DEFAULT 'true'::text, until text DEFAULT 'true'::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
  execute format('create index on past.%I (%s, replaced_at, recorded_at)', relation, key);
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
  -- The rows of both without a condition on either: the planner reads them in the order of their indexes as one table.
  execute format(
    'create view as_of.%1$I as
     select %2$s from (
       select %2$s, recorded_at, timestamptz ''infinity'' as replaced_at from public.%1$I
       union all
       select %2$s, recorded_at, replaced_at from past.%1$I
     ) as version
     where %3$s and replaced_at >= (select current_setting(''sluice.as_of_since'')::timestamptz)
       and (replaced_at > %4$s or replaced_at = any (%5$s))',
    relation, kept, known, instant, unseen);
  execute format('grant select on as_of.%I to api', relation);
end $function$

CREATE OR REPLACE FUNCTION past.keep_more(relation name, added text, until text DEFAULT 'true'::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  arguments text[] := (
    select string_to_array(encode(tgargs, 'escape'), '\000') from pg_trigger
    where tgrelid = format('public.%I', relation)::regclass and tgname = 'keep_deleted');
  key text := arguments[2];
  held text := arguments[3];
  kept text := arguments[1] || ', ' || added;
  columns text := substr(kept, length(key) + 3);
  unseen text := '((select current_setting(''sluice.as_of_unseen'')::timestamptz[])::timestamptz[])';
  instant text := '(select current_setting(''sluice.as_of'')::timestamptz)';
  known text := format('recorded_at <= %s and recorded_at <> all (%s) and %s', instant, unseen, until);
begin
  execute format('drop trigger stamp on %1$I', relation);
  execute format('drop trigger keep_updated on %1$I', relation);
  execute format('drop trigger keep_deleted on %1$I', relation);
  execute format(
    'create trigger stamp before update on %I for each row when ((%s) is distinct from (%s)) execute function past.stamp()',
    relation, 'old.' || replace(columns, ', ', ', old.'), 'new.' || replace(columns, ', ', ', new.'));
  execute format(
    'create trigger keep_updated after update on %I referencing old table as old_rows new table as new_rows
     for each statement execute function past.keep_replaced(%L, %L, %L)', relation, kept, key, held);
  execute format(
    'create trigger keep_deleted after delete on %I referencing old table as old_rows
     for each statement execute function past.keep_replaced(%L, %L, %L)', relation, kept, key, held);
  execute format(
    'create or replace view as_of.%1$I as
     select %2$s from (
       select %2$s, recorded_at, timestamptz ''infinity'' as replaced_at from public.%1$I
       union all
       select %2$s, recorded_at, replaced_at from past.%1$I
     ) as version
     where %3$s and replaced_at >= (select current_setting(''sluice.as_of_since'')::timestamptz)
       and (replaced_at > %4$s or replaced_at = any (%5$s))',
    relation, kept, known, instant, unseen);
end $function$

CREATE OR REPLACE FUNCTION past.keep_replaced()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$

CREATE OR REPLACE FUNCTION past.note_inserted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform past.note_write();
  return null;
end $function$

CREATE OR REPLACE FUNCTION past.note_write()
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into past.writes (began_at, xid) values (now(), pg_current_xact_id()) on conflict do nothing
$function$

CREATE OR REPLACE FUNCTION past.stamp()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.recorded_at := now();
  return new;
end $function$
