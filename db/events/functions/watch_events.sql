-- Subscribes the stream of an account for as long as `lasts`: to wallets, or (null) to all wallets of its portfolios.
-- False: the account would watch more than `most` wallets by their addresses; nothing is changed.
create or replace function watch_events(
  account_id uuid, addresses text[], types text[], most integer, lasts interval
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  wanted bigint[];
  watched integer;
begin
  if addresses is not null then
    insert into wallets (address) select distinct a from unnest(addresses) a on conflict do nothing;
    -- A statement of its own sees wallets that others have inserted meanwhile.
    wanted := array(select w.id from wallets w where w.address = any (addresses));
    select count(distinct w) into watched from (
      select unnest(wanted) as w
      union all
      select s.wallet_id from event_subscriptions s where s.account_id = watch_events.account_id
        and s.wallet_id is not null and (s.expires_at is null or s.expires_at > now())
    ) all_of_it;
    if watched > most then return false; end if;
  end if;
  insert into event_subscriptions as s (account_id, wallet_id, types, expires_at)
    select account_id, w, types, now() + lasts from unnest(coalesce(wanted, array[null::bigint])) w
    -- Readers that ask often write seldom.
    on conflict on constraint event_subscriptions_once do update set expires_at = excluded.expires_at
      where s.expires_at < excluded.expires_at - interval '1 hour';
  return true;
end $$;
revoke all on function watch_events from public;
grant execute on function watch_events to meter;
