-- Who watches which wallet: subscriptions that have not expired, with the wallets of portfolios in place of "all".
create or replace view event_watchers as
  select s.account_id, s.endpoint_id, s.wallet_id, s.network_id, s.types
  from event_subscriptions s
  where s.wallet_id is not null and (s.expires_at is null or s.expires_at > now())
  union all
  select s.account_id, s.endpoint_id, w.id, p.network_id, s.types
  from event_subscriptions s
  join portfolios p on p.account_id = s.account_id and p.kind = 'wallet'
    and (s.network_id is null or s.network_id = p.network_id)
  join wallets w on w.address = p.address
  where s.wallet_id is null and (s.expires_at is null or s.expires_at > now());
grant select on event_watchers to ingest;
