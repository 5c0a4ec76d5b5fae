-- Starts the syncs of wallets on networks that a read named and that nobody asked for before. An asker starts
-- at most `per_hour` of them in an hour. Returns how many were beyond that, and in how many seconds one more
-- may start. The id of an account is its asker; others are words.
create or replace function ask_first_syncs(
  asker text, addresses text[], network_ids text[], per_hour integer
) returns table (refused integer, retry_s integer)
language plpgsql security definer set search_path = public, pg_temp as $$
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
end $$;
revoke all on function ask_first_syncs from public;
grant execute on function ask_first_syncs to meter, gateway;
