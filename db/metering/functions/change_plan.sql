-- Moves an account to another plan. The open period gets the new plan's credits, but at least what it has
-- spent of the old plan's. Top-ups stay as they are.
create or replace function change_plan(account_id uuid, plan text) returns void
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  period credit_periods := lock_period(account_id);
begin
  update accounts a set plan = change_plan.plan where a.id = change_plan.account_id;
  update credit_periods c set granted = c.topped_up + greatest(
      coalesce(a.credits_per_month, p.credits_per_month), least(c.granted - c.topped_up, c.posted))
    from accounts a join plans p on p.id = a.plan
    where a.id = change_plan.account_id and c.account_id = a.id and c.n = period.n;
end $$;
revoke all on function change_plan from public;
