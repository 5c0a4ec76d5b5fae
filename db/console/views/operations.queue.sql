-- Commands without a workflow, and wallets and exchange accounts: in all, never synced completely, with a
-- failed last sync, and the time of the oldest data; wallets with a gap in their history, and its usual reason; the same of past prices of
-- coins.
create or replace view operations.queue as
select o.commands, o.oldest_command_at, w.wallets, w.wallets_begun, w.wallets_failed, w.oldest_wallet_at,
  e.exchanges, e.exchanges_begun, e.exchanges_failed, e.oldest_exchange_at,
  w.wallets_with_gaps, w.gap_reason, p.coins_with_gaps, p.price_gap_reason
from (
  select count(*)::int as commands, min(created_at) as oldest_command_at from outbox where dispatched_at is null
) o, (
  select count(*)::int as wallets,
    count(*) filter (where coverage.synced_at is null and failed_at is null)::int as wallets_begun,
    count(*) filter (where failed_at > coalesce(coverage.synced_at, '-infinity'))::int as wallets_failed,
    min(coverage.synced_at) as oldest_wallet_at,
    count(gap_from)::int as wallets_with_gaps, mode() within group (order by gap_reason) as gap_reason
  from wallet_syncs join wallet_coverage as coverage using (wallet_id, network_id)
) w, (
  select count(*)::int as exchanges,
    count(*) filter (where synced_at is null and failed_at is null)::int as exchanges_begun,
    count(*) filter (where failed_at > coalesce(synced_at, '-infinity'))::int as exchanges_failed,
    min(synced_at) as oldest_exchange_at
  from exchange_connections
) e, (
  select count(distinct coin_id)::int as coins_with_gaps,
    mode() within group (order by floor_reason) as price_gap_reason
  from price_histories where floor_reason is not null
) p;
grant select on operations.queue to console;
