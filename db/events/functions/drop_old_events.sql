-- Drops events that are older than the days of their account's plan, and notes the last number of each account, so that its
-- readers learn that they have missed some. Partitions that every plan has outlived are dropped whole. Forgets expired
-- subscriptions and uploaded files as well, and transactions that were neither confirmed nor came again after a reorg
-- for a month. Returns the number of partitions and single events that are gone.
create or replace function drop_old_events(plans text[], days integer[]) returns integer
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '500ms' as $$
declare
  longest integer := (select max(d) from unnest(days) d);
  part text;
  gone integer := 0;
begin
  delete from event_subscriptions where expires_at <= now();
  delete from import_uploads where expires_at <= now();
  delete from told_transactions where at < now() - interval '30 days';
  with old as (
    delete from account_events e using accounts a join unnest(plans, days) as kept (plan, days) on kept.plan = a.plan
    where a.id = e.account_id and kept.days < longest and e.created_at < now() - make_interval(days => kept.days)
    returning e.account_id, e.seq
  ), noted as (
    insert into dropped_events as d (account_id, seq)
    select account_id, max(seq) from old where seq is not null group by account_id
    on conflict (account_id) do update set seq = greatest(d.seq, excluded.seq)
  )
  select count(*) into gone from old;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'account_events'::regclass
      -- Their names end with their day.
      and to_date(right(c.relname, 8), 'YYYYMMDD') + longest < current_date order by 1
  loop
    execute format('insert into dropped_events as d (account_id, seq)
      select e.account_id, max(e.seq) from %I e join accounts a on a.id = e.account_id
      where e.seq is not null group by e.account_id
      on conflict (account_id) do update set seq = greatest(d.seq, excluded.seq)', part);
    execute format('drop table %I', part);
    gone := gone + 1;
  end loop;
  delete from deliveries d using webhook_endpoints e join dropped_events g on g.account_id = e.account_id
    where d.endpoint_id = e.id and d.seq <= g.seq;
  return gone;
end $$;
revoke all on function drop_old_events from public;
grant execute on function drop_old_events to ingest;
