-- Opens an account and returns its id. Null credits and rate: those of the plan.
create or replace function operator_open_account(name text, plan text, credits bigint, requests_per_second int, operator text) returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  opened uuid;
begin
  insert into accounts (name, plan, credits_per_month, requests_per_second)
    values (name, plan, credits, requests_per_second) returning id into opened;
  insert into operator_actions (operator, action, subject)
    values (operator, 'open an account with the plan ' || plan, opened::text);
  return opened;
end $$;
revoke all on function operator_open_account from public;
grant execute on function operator_open_account to console;
