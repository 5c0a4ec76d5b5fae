-- Moves an account to another plan. False: there is no such account.
create or replace function operator_change_plan(account_id uuid, plan text, operator text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  if not exists (select from accounts a where a.id = account_id and a.name <> 'closed') then return false; end if;
  perform change_plan(account_id, plan);
  insert into operator_actions (operator, action, subject)
    values (operator, 'change the plan to ' || plan, account_id::text);
  return true;
end $$;
revoke all on function operator_change_plan from public;
grant execute on function operator_change_plan to console;
