-- Adds credits as grant_credits does.
create or replace function operator_top_up(
  grant_id text, account_id uuid, credits bigint, expires_at timestamptz, operator text
) returns table (valid_until timestamptz, added boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  select g.valid_until, g.added into valid_until, added from grant_credits(grant_id, account_id, credits, expires_at) g;
  if added then
    insert into operator_actions (operator, action, subject)
      values (operator, 'add ' || credits || ' credits', account_id::text);
  end if;
  return next;
end $$;
revoke all on function operator_top_up from public;
grant execute on function operator_top_up to console;
