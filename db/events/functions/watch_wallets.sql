-- Lets an endpoint get the events of wallets: a list of them, or "all" among the portfolios of its account. Raises SL001
-- when the account would watch more wallets than `most`.
create or replace function watch_wallets(account_id uuid, endpoint_id uuid, watched jsonb, most integer) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
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
end $$;
revoke all on function watch_wallets from public;
