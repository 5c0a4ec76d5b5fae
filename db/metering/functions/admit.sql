-- Takes `counts` requests from the rate of each account, by the clock of the database, and reads its credits.
-- `allowed`: how many of them may pass. Locks accounts in order, so that processes cannot deadlock. The first
-- request of a period opens it, so that the credits read are those that will be charged.
create or replace function admit(account_ids uuid[], counts integer[]) returns table (
  account_id uuid, plan text, paid boolean, requests_per_second integer,
  allowed integer, requests_left integer, full_in_us bigint, next_in_us bigint,
  granted bigint, available bigint, period_ends_in_s integer
)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  now_us bigint := floor(extract(epoch from clock_timestamp()) * 1000000);
begin
  perform ensure_periods(account_ids);
  insert into rate_states (account_id, due_us)
    select w.id, 0 from unnest(account_ids) w(id)
    where not exists (select from rate_states r where r.account_id = w.id) order by w.id
    on conflict do nothing;
  return query
  with locked as materialized (
    select r.account_id as id, r.due_us, w.count from unnest(account_ids, counts) w(id, count)
    join rate_states r on r.account_id = w.id
    order by r.account_id for update of r
  ), limits as (
    select l.id, l.count, a.plan, p.paid,
      coalesce(a.requests_per_second, p.requests_per_second) as rate,
      -- Rounded up, so that requests never pass faster than the rate.
      (999999 + coalesce(a.requests_per_second, p.requests_per_second)) / coalesce(a.requests_per_second, p.requests_per_second) as gap_us,
      l.due_us
    from locked l join accounts a on a.id = l.id join plans p on p.id = a.plan
  ), taken as (
    select t.*, least(t.count, (now_us + t.rate * t.gap_us - t.base_us) / t.gap_us)::integer as passed
    -- The cap handles a clock that was set back: due_us can then lie further away than a full burst.
    from (select *, least(greatest(due_us, now_us), now_us + rate * gap_us::bigint) as base_us from limits) t
  ), stored as (
    update rate_states r set due_us = t.base_us + t.passed * t.gap_us from taken t where r.account_id = t.id
  )
  select t.id, t.plan, t.paid, t.rate, t.passed,
    ((now_us + t.rate * t.gap_us - due) / t.gap_us)::integer, due - now_us,
    greatest(0, due + t.gap_us - t.rate * t.gap_us - now_us),
    c.granted, c.granted - c.posted, ceil(extract(epoch from c.ends_at - now()))::integer
  from (select *, base_us + passed * gap_us as due from taken) t
  join credit_periods c on c.account_id = t.id and c.is_open;
end $$;
revoke all on function admit from public;
grant execute on function admit to meter;
