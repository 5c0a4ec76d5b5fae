-- How current each wallet is on each network. A followed wallet is as current as its follower, or as the first
-- block that waits to be derived, so nobody writes for a quiet one. `synced_at`: everything up to this time is
-- served; null: the history was never complete. A wallet whose accounts are checked is as current as their check.
-- `followed`: whatever happens reaches the wallet without a sync.
-- `message`: why a wallet of a followed network is not synced. `verified_at`: when its balances were last
-- compared with the chain.
create or replace view wallet_coverage as
select sync.wallet_id, sync.network_id,
  greatest(sync.synced_at, case when follower.is_whole then follower.as_of end, checked.as_of) as synced_at,
  case when sync.synced_at is null or found.is_behind or found.is_paused then 'syncing' else 'synced' end as state,
  case
    when found.is_paused then 'More transactions a day on ' || sync.network_id || ' than are followed: paused until '
      || to_char(sync.paused_until at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC'
    when not follower.is_at_work or not (sync.synced_at is null or found.is_behind) then null
    when not follower.is_whole then 'The history on ' || sync.network_id || ' is being read'
    when follower.is_derived then 'The newest blocks on ' || sync.network_id || ' are being read'
    else 'New transactions on ' || sync.network_id || ' are being added'
  end as message,
  -- After five minutes without its follower or its new rows, or three slower ticks, a wallet is polled.
  follower.is_at_work and follower.is_whole
    and follower.as_of >= now() - greatest(300000, network.patience_ms) * interval '1 millisecond' as followed,
  greatest(sync.synced_at, sync.balances_at, checked.as_of) as verified_at
from wallet_syncs as sync
left join followed_networks as network on network.network_id = sync.network_id
-- A mark without blocks is that of a wallet with many transactions, which rests.
left join touched_wallets as touched on touched.network_id = sync.network_id and touched.wallet_id = sync.wallet_id
  and touched.from_block <= touched.through_block
cross join lateral (
  select coalesce(network.is_on and sync.covered_from is not null, false) as is_at_work,
    coalesce(network.network_id is not null and sync.synced_at is not null
      and least(sync.cursor_block, sync.normalised_block) >= sync.covered_from - 1, false) as is_whole,
    coalesce(touched.marked_at >= now() - interval '30 seconds', true) as is_derived,
    least(network.as_of, touched.marked_at) as as_of
) as follower
left join lateral (
  -- What a check found changed, or a sync found new, is not current before the next sync or check.
  select span.checked_at as as_of
  from (
    select checked_at from account_checks
    where network_id = sync.network_id and first_wallet <= sync.wallet_id order by first_wallet desc limit 1
  ) as span
  where sync.normalised_block >= sync.cursor_block and sync.synced_at is not null
    and (select bool_and(coalesce(seen_block <= sync.cursor_block, false)) from wallet_accounts as known
      where known.wallet_id = sync.wallet_id and known.network_id = sync.network_id)
) as checked on true
cross join lateral (
  -- A sync since then has read what the follower has not.
  select follower.is_at_work and not (follower.is_whole and (
    follower.is_derived and network.as_of >= now() - network.patience_ms * interval '1 millisecond'
    or sync.synced_at > follower.as_of)) as is_behind,
    coalesce(network.is_on and sync.paused_until > now(), false) as is_paused
) as found;
grant select on wallet_coverage to ingest, api;

-- Of the past only syncs are kept.
create or replace view as_of.wallet_coverage as
select wallet_id, network_id, synced_at, case when synced_at is null then 'syncing' else 'synced' end as state,
  null::text as message, false as followed, synced_at as verified_at
from as_of.wallet_syncs;
grant select on as_of.wallet_coverage to api;
