-- Charges and numbers held events of accounts that have credits again, the oldest first: at most `most` of each account.
-- Returns their number.
create or replace function release_held_events(most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  account uuid;
  period credit_periods;
  released integer;
  total integer := 0;
begin
  if not exists (select from account_events where held) then return 0; end if;
  perform pg_advisory_xact_lock(hashtextextended('publish_events', 0));
  for account in
    -- One look at the index for each account, however many events it holds.
    with recursive holders as (
      (select account_id from account_events where held order by account_id limit 1)
      union all
      select (select e.account_id from account_events e where e.held and e.account_id > h.account_id
        order by e.account_id limit 1)
      from holders h where h.account_id is not null
    )
    select h.account_id from holders h
    left join credit_periods p on p.account_id = h.account_id and p.is_open
    where h.account_id is not null
      and (p.account_id is null or p.fresh_until <= now() or p.posted < p.granted)
    order by h.account_id
  loop
    period := lock_period(account);
    with waiting as (
      select e.id, e.created_at, e.type, e.credits, e.endpoint_ids,
        row_number() over o as n, sum(e.credits) over o as due
      from account_events e where e.held and e.account_id = account
      window o as (order by e.created_at, e.id) order by e.created_at, e.id limit most
    ), affordable as materialized (
      select * from waiting where due <= period.granted - period.posted
    ), charged as materialized (
      select count(*) from charge_batch(
        array(select id from affordable where credits > 0 order by n),
        array(select account from affordable where credits > 0),
        array(select credits::bigint from affordable where credits > 0 order by n),
        array(select type from affordable where credits > 0 order by n),
        array(select null::text from affordable where credits > 0)) c
    ), numbered as materialized (
      select o.*, nextval('event_numbers') as seq
      from (select a.* from affordable a cross join charged order by n) o
    ), written as (
      update account_events e set seq = n.seq, held = false,
        body = regexp_replace(e.body, '"seq":null', '"seq":"' || n.seq || '"')
      from numbered n where e.id = n.id and e.created_at = n.created_at and e.account_id = account and e.held
      returning n.seq, e.wallet_id, n.endpoint_ids
    ), queued as (
      insert into deliveries (endpoint_id, seq, lane)
      select d.endpoint_id, d.seq, d.lane from written w
      cross join deliveries_of(w.seq, w.wallet_id, w.endpoint_ids) d
    )
    select count(*) into released from written;
    total := total + released;
  end loop;
  return total;
end $$;
revoke all on function release_held_events from public;
grant execute on function release_held_events to ingest;
