-- What the follower of a network's head knows of its chain. Between two blocks lie about `block_ms`. Blocks are
-- read by `head_tag`. `unproven`: rules of completeness that the chain breaks by design, see
-- activities/chain/follow/verify-block.ts.
alter table networks
  add column block_ms integer,
  add column head_tag text not null default 'latest' constraint networks_head_tag check (head_tag in ('latest', 'safe')),
  add column unproven text[] not null default '{}' constraint networks_unproven check (unproven <@ '{gas,bloom,logs}');
update networks set block_ms = known.ms
  from (values ('ethereum', 12000), ('binancesmartchain', 450), ('base-wallet', 2000), ('polygon-wallet', 2000),
    ('arbitrum-wallet', 250), ('optimism-wallet', 2000), ('avalanche-wallet', 2000), ('hyperevm-wallet', 1000),
    ('monad-wallet', 400), ('plasma-wallet', 1000)) as known (id, ms)
  where networks.id = known.id;
-- Monad's `latest` is speculative and `safe` is voted for. Its receipts do not give the header's bloom filter.
update networks set head_tag = 'safe', unproven = '{bloom}' where id = 'monad-wallet';
