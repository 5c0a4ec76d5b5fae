-- Has wallets of a network derived again, each from a block on: those with a complete history that is followed
-- as touched ones, the others by their next sync.
create or replace function derive_again(for_network text, wallet_ids bigint[], from_blocks bigint[]) returns void
language sql set search_path = public, pg_temp as $$
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
$$;
revoke all on function derive_again from public;
grant execute on function derive_again to ingest;
