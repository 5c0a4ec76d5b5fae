-- Charges and numbers held events of accounts that can pay them, the oldest first, as many as the events a second of
-- their plans (`rates`) allow at this moment. Returns their number.
create or replace function release_held_events(plans text[], rates integer[]) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  holder record;
  period credit_periods;
  released integer;
  moment timestamptz;
  total integer := 0;
begin
  if not exists (select from account_events where held) then return 0; end if;
  perform pg_advisory_xact_lock(hashtextextended('publish_events', 0));
  moment := clock_timestamp();
  for holder in
    -- One look at the index for each account, however many events it holds.
    with recursive holders as (
      (select account_id from account_events where held order by account_id limit 1)
      union all
      select (select e.account_id from account_events e where e.held and e.account_id > h.account_id
        order by e.account_id limit 1)
      from holders h where h.account_id is not null
    )
    select h.account_id as id, event_room(h.account_id, r.rate, moment) as room from holders h
    join accounts a on a.id = h.account_id
    join unnest(plans, rates) as r (plan, rate) on r.plan = a.plan
    left join credit_periods p on p.account_id = h.account_id and p.is_open and p.fresh_until > now()
    cross join lateral (
      select e.credits from account_events e where e.held and e.account_id = h.account_id
      order by e.created_at, e.id limit 1) oldest
    where p.account_id is null or oldest.credits <= p.granted - p.posted
    order by h.account_id
  loop
    continue when holder.room < 1;
    period := lock_period(holder.id);
    with waiting as (
      select e.id, e.created_at, e.type, e.credits, e.endpoint_ids,
        row_number() over o as n, sum(e.credits) over o as due
      from account_events e where e.held and e.account_id = holder.id
      window o as (order by e.created_at, e.id) order by e.created_at, e.id limit floor(holder.room)
    ), affordable as materialized (
      select * from waiting where due <= period.granted - period.posted
    ), charged as materialized (
      select count(*) from charge_batch(
        array(select id from affordable where credits > 0 order by n),
        array(select holder.id from affordable where credits > 0),
        array(select credits::bigint from affordable where credits > 0 order by n),
        array(select type from affordable where credits > 0 order by n),
        array(select null::text from affordable where credits > 0)) c
    ), numbered as materialized (
      select o.*, nextval('event_numbers') as seq
      from (select a.* from affordable a cross join charged order by n) o
    ), written as (
      update account_events e set seq = n.seq, held = false,
        body = regexp_replace(e.body, '"seq":null', '"seq":"' || n.seq || '"')
      from numbered n where e.id = n.id and e.created_at = n.created_at and e.account_id = holder.id and e.held
      returning n.seq, e.wallet_id, n.endpoint_ids
    ), queued as (
      insert into deliveries (endpoint_id, seq, lane)
      select d.endpoint_id, d.seq, d.lane from written w
      cross join deliveries_of(w.seq, w.wallet_id, w.endpoint_ids) d
    )
    select count(*) into released from written;
    if released > 0 then
      insert into event_rates as r (account_id, room, at) values (holder.id, holder.room - released, moment)
        on conflict (account_id) do update set room = excluded.room, at = excluded.at;
    end if;
    total := total + released;
  end loop;
  return total;
end $$;
revoke all on function release_held_events from public;
grant execute on function release_held_events to ingest;
