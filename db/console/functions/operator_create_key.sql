-- Creates a key of an account. False: there is no such account.
create or replace function operator_create_key(
  account_id uuid, hash bytea, prefix text, name text, read_only boolean, opens text[], expires_at timestamptz,
  operator text
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  if not exists (select from accounts a where a.id = account_id and a.name <> 'closed') then return false; end if;
  insert into api_keys (account_id, hash, prefix, name, read_only, opens, expires_at)
    values (account_id, hash, prefix, name, read_only, opens, expires_at);
  insert into operator_actions (operator, action, subject)
    values (operator, 'create the key ' || prefix, account_id::text);
  return true;
end $$;
revoke all on function operator_create_key from public;
grant execute on function operator_create_key to console;
