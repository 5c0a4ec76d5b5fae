-- How far the sync of a wallet on a network is. Only for an address that the caller knows.
create or replace function wallet_sync_state(address text, network_id text)
returns table (taken boolean, head bigint, cursor_block bigint, normalised_block bigint, synced_at timestamptz,
  failed_at timestamptz, failure text, stored bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select not exists (
      select from outbox where workflow_id = 'sync:' || wallet_sync_state.address || ':' || wallet_sync_state.network_id
        and dispatched_at is null
    ), sync.head_block, coalesce(sync.cursor_block, 0), coalesce(sync.normalised_block, 0), sync.synced_at,
    sync.failed_at, sync.failure,
    (select count(*) from wallet_transactions t
      where t.wallet_id = wallet.id and t.network_id = wallet_sync_state.network_id)
  from (select 1) as one left join wallets as wallet on wallet.address = wallet_sync_state.address
  left join wallet_syncs as sync on sync.wallet_id = wallet.id and sync.network_id = wallet_sync_state.network_id
$$;
revoke all on function wallet_sync_state from public;
grant execute on function wallet_sync_state to console;
