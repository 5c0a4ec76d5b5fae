-- What a source of token risks says of a contract. Networks by the names of coin_contracts, addresses in lower case.
create table token_risks (
  blockchain text not null,
  address text not null,
  -- False: the source was asked and does not know the token.
  known boolean not null,
  -- The source's own words, its scalar fields as text. Empty text means unknown, as a missing field does.
  facts jsonb not null default '{}',
  -- Checks by their result. A check that is in neither list is unknown, which is not the same as clear.
  detected text[] not null default '{}',
  clear text[] not null default '{}',
  -- 0 to 100, higher is riskier; null while too little is known.
  score smallint check (score between 0 and 100),
  market_endorsed boolean,
  ownership_renounced boolean,
  source text not null,
  -- When the source last answered for the token, and when it was last asked.
  fetched_at timestamptz not null,
  checked_at timestamptz not null,
  primary key (blockchain, address)
);
create index token_risks_by_check on token_risks (checked_at);

grant select, insert, update, delete on token_risks to ingest;
grant select on token_risks to api;
