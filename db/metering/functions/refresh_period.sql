-- Brings the open period of an account up to date: expires top-ups, closes an ended period, opens the current
-- one.
create or replace function refresh_period(account_id uuid) returns void
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  account uuid := refresh_period.account_id;
  period credit_periods;
  unwritten bigint;
begin
  perform from credit_periods p where p.account_id = account and p.is_open for update;
  select * into period from credit_periods p where p.account_id = account and p.is_open;
  -- Another session may have refreshed it already.
  if period.fresh_until > now() then return; end if;

  if period.n is not null then
    unwritten := 0;
    if period.ends_at <= now() or exists (
      select from credit_grants where account_id = account and spent < credits
        and expires_at >= period.fresh_until and expires_at <= now())
    then
      unwritten := greatest(0, period.posted - (period.granted - period.topped_up) - period.topups_spent);
    end if;
    update credit_grants g set spent = g.spent + t.credits
    from (
      select id, least(left_over, greatest(0, unwritten - before)) as credits
      from (
        select id, credits - spent as left_over, coalesce(sum(credits - spent)
          over (order by expires_at, id rows between unbounded preceding and 1 preceding), 0) as before
        -- Top-ups that were valid until now: fresh_until is never later than the earliest expiry.
        from credit_grants where account_id = account and spent < credits and expires_at >= period.fresh_until
      ) valid
    ) t
    where g.id = t.id and t.credits > 0;
    update credit_periods p set topups_spent = topups_spent + unwritten, is_open = p.ends_at > now(),
      topped_up = case when p.ends_at > now() then p.topups_spent + unwritten + v.credits else p.topped_up end,
      granted = case when p.ends_at > now()
        then p.granted - p.topped_up + p.topups_spent + unwritten + v.credits else p.granted end,
      fresh_until = least(p.ends_at, v.next_at)
    from valid_top_ups(account) v where p.account_id = account and p.n = period.n;
    if period.ends_at > now() then return; end if;
  end if;
  -- Read the plan only here: a change of plan holds the lock of the previous period.
  insert into credit_periods (account_id, n, starts_at, ends_at, granted, topped_up, fresh_until)
  select a.id, c.n, period_start(a.anchor_at, c.n), c.ends_at,
    coalesce(a.credits_per_month, p.credits_per_month) + v.credits, v.credits, least(c.ends_at, v.next_at)
  from accounts a join plans p on p.id = a.plan, valid_top_ups(a.id) v,
    lateral (select period_number(a.anchor_at, now()) as n) m,
    lateral (select m.n, period_start(a.anchor_at, m.n + 1) as ends_at) c
  where a.id = account
  on conflict do nothing;
  -- Another session inserted it: lock it here, to keep the order of the accounts.
  if not found then
    perform from credit_periods p where p.account_id = account and p.is_open for update;
  end if;
end $$;
revoke all on function refresh_period from public;
