-- The fear and greed index, 0 (extreme fear) to 100 (extreme greed), of each UTC day as its publisher gives it.
-- Two publishers are two indexes: their values are never mixed in one series.
create table fear_greed (
  source text not null,
  at timestamptz not null,
  value smallint not null check (value between 0 and 100),
  fetched_at timestamptz not null,
  primary key (source, at)
);

grant select, insert, update, delete on fear_greed to ingest;
grant select on fear_greed to api;
