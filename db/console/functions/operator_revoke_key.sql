-- Revokes the keys of an account with this prefix, and returns their number.
create or replace function operator_revoke_key(account_id uuid, prefix text, operator text) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  revoked int;
begin
  update api_keys k set revoked_at = now()
    where k.account_id = account_id and k.prefix = prefix and k.revoked_at is null;
  get diagnostics revoked = row_count;
  if revoked > 0 then
    insert into operator_actions (operator, action, subject)
      values (operator, 'revoke the key ' || prefix, account_id::text);
  end if;
  return revoked;
end $$;
revoke all on function operator_revoke_key from public;
grant execute on function operator_revoke_key to console;
