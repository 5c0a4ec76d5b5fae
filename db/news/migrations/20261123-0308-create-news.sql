-- The feeds that are read. How a feed answers is in source_states, under the same name.
create table news_sources (
  source text primary key,
  -- As it stands in the contract's `source`.
  name text not null,
  web_url text not null,
  feed_url text not null,
  image_url text,
  -- What the feed sent for conditional requests; null: it sent none.
  etag text,
  last_modified text,
  created_at timestamptz not null default now(),
  -- The last time that the feed answered as a feed, with or without something new.
  fetched_at timestamptz not null
);

-- One row per article: `id` is the SHA-256 of source and canonical link, so that a changed guid or another tracking
-- parameter is still the same article.
create table news_items (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  source text not null references news_sources,
  link text not null,
  title text not null,
  summary text,
  image_url text,
  -- Declared width of the image in pixels.
  image_width integer,
  -- Categories of the publisher.
  keywords text[] not null default '{}',
  -- Whether the feed carries the whole article; it stays with the publisher.
  has_content boolean not null,
  -- Reactions that the feed counts, by kind: {"comments": 12}.
  reactions jsonb not null default '{}',
  coin_ids text[] not null default '{}',
  sentiment text not null check (sentiment in ('bullish', 'bearish', 'neutral')),
  -- -1 to 1
  sentiment_score double precision not null,
  -- Which lexicon and which coins the three columns above were made with.
  analysis text not null,
  picked_at timestamptz,
  -- As the publisher says; where it does not, when the article was first seen.
  published_at timestamptz not null,
  fetched_at timestamptz not null
);
-- One index per list, in its order.
create index news_items_latest on news_items (published_at, id);
create index news_items_bullish on news_items (published_at, id) where sentiment = 'bullish';
create index news_items_bearish on news_items (published_at, id) where sentiment = 'bearish';
create index news_items_handpicked on news_items (published_at, id) where picked_at is not null;

-- Every 25th row of each list with its position from the oldest: a page starts next to one, however deep it is.
create table news_anchors (
  list text not null check (list in ('latest', 'bullish', 'bearish', 'handpicked')),
  rank integer not null,
  published_at timestamptz not null,
  id text not null,
  primary key (list, rank)
);
create index news_anchors_by_key on news_anchors (list, published_at, id);

-- The trending list as it was last computed.
create table news_trending (
  rank integer primary key,
  news_id text not null references news_items on delete cascade,
  score double precision not null,
  fetched_at timestamptz not null
);

grant select, insert, update, delete on news_sources, news_items, news_anchors, news_trending to ingest;
grant select on news_sources, news_items, news_anchors, news_trending to api;
