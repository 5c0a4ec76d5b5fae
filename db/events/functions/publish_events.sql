-- Turns sources into events, one of each subscribed account: deletes the sources, charges, numbers the events and queues
-- their deliveries, all in one transaction. The lock makes it the one writer of numbers, so their order is that of
-- commits. Held are events that their account cannot pay, or that exceed the events a second of its plan (`rates`), and
-- so are its later ones until those are released: see release_held_events. `data` and `costs` are those of the sources,
-- which have no transaction of a wallet twice. An account pays for a transaction once: told_transactions knows it until
-- it is confirmed. Returns the number of events.
create or replace function publish_events(
  source_ids bigint[], data text[], costs integer[], plans text[], rates integer[]
) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  events integer;
  moment timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('publish_events', 0));
  moment := clock_timestamp();
  perform ensure_event_partitions(moment);
  with gone as (
    delete from event_sources s using unnest(source_ids, data, costs) as told (id, data, credits)
    where s.id = told.id
    -- Operations are told at once, and what happened in its order.
    returning s.*, told.data, told.credits, s.kind not in ('endpoint.disabled', 'test.ping') as is_ordered
  ), told as materialized (
    select row_number() over (order by g.id, r.account_id) as n, uuidv7() as event_id, r.account_id, r.endpoint_ids,
      g.kind, g.wallet_id, g.network_id, g.tx_hash, g.data, g.payload ->> 'status' as status,
      case when r.is_told then 0 else g.credits end as credits, g.is_ordered
    from gone g
    cross join lateral (
      select g.account_id, account_event_endpoints(g.account_id, g.kind, g.payload) as endpoint_ids, false as is_told
      where g.account_id is not null
      union all
      select r.* from event_receivers(g.kind, g.wallet_id, g.network_id, g.tx_hash, g.payload) r
      where g.account_id is null
    ) r
  ), noted as (
    insert into told_transactions as known (network_id, wallet_id, tx_hash, account_id, endpoint_ids)
    select network_id, wallet_id, tx_hash, account_id, endpoint_ids from told
    where kind = 'wallet.transaction' and status = 'unconfirmed'
    on conflict (network_id, wallet_id, tx_hash, account_id) do update
      set endpoint_ids = array(select unnest(known.endpoint_ids) union select unnest(excluded.endpoint_ids))
  ), forgotten as (
    delete from told_transactions t using gone g
    where g.kind = 'wallet.transaction' and g.payload ->> 'status' = 'confirmed'
      and t.network_id = g.network_id and t.wallet_id = g.wallet_id and t.tx_hash = g.tx_hash
  ), rooms as materialized (
    select a.id as account_id, event_room(a.id, p.rate, moment) as room,
      exists (select from account_events h where h.held and h.account_id = a.id) as is_holding
    from (select distinct account_id from told where is_ordered) t
    join accounts a on a.id = t.account_id
    join unnest(plans, rates) as p (plan, rate) on p.plan = a.plan
  ), placed as materialized (
    select t.*, t.is_ordered and (r.is_holding
      or row_number() over (partition by t.account_id, t.is_ordered order by t.n) > r.room) as waits
    from told t left join rooms r using (account_id)
  ), payable as materialized (
    select n, event_id, account_id, credits, kind, row_number() over (order by n) as place
    from placed where credits > 0 and not waits
  ), refusals as materialized (
    select unnest(c.refused) as place from charge_batch(
      array(select event_id from payable order by place), array(select account_id from payable order by place),
      array(select credits::bigint from payable order by place), array(select kind from payable order by place),
      array(select null::text from payable order by place)) c
  ), unpaid as (
    select account_id, n from payable join refusals using (place)
  ), first_unpaid as (
    select account_id, min(n) as n from unpaid group by account_id
  ), judged as (
    -- A free event tells of an earlier one, so it is not sent before that.
    select t.*, t.waits or u.n is not null or (t.credits = 0 and t.is_ordered and coalesce(f.n < t.n, false)) as held
    from placed t left join unpaid u using (n) left join first_unpaid f on f.account_id = t.account_id order by n
  ), numbered as materialized (
    select *, case when not held then nextval('event_numbers') end as seq from judged
  ), written as (
    insert into account_events
      (seq, account_id, id, type, wallet_id, network_id, tx_hash, body, credits, held, created_at, endpoint_ids)
    select seq, account_id, event_id, kind, wallet_id, network_id, tx_hash,
      event_body(event_id, kind, moment, seq, numbered.data), credits, held, moment, endpoint_ids
    from numbered
    returning seq, wallet_id, endpoint_ids
  ), counted as (
    insert into event_rates as r (account_id, room, at)
    select account_id, room - count(*), moment from numbered join rooms using (account_id)
    where seq is not null and is_ordered group by account_id, room
    on conflict (account_id) do update set room = excluded.room, at = excluded.at
  ), queued as (
    insert into deliveries (endpoint_id, seq, lane)
    select d.endpoint_id, d.seq, d.lane from written w
    cross join deliveries_of(w.seq, w.wallet_id, w.endpoint_ids) d where w.seq is not null
  )
  select count(*) into events from written;
  return events;
end $$;
revoke all on function publish_events from public;
grant execute on function publish_events to ingest;
