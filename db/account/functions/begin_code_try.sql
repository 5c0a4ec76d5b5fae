-- Counts a code that a user enters after the password. False: too many were wrong, and it is not to be checked. null: too
-- many tries from this address.
create or replace function begin_code_try(subject text, address text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not count_sign_in_try('address', address, 20) then
    return null;
  end if;
  return count_sign_in_try('code', subject, 5);
end $$;
revoke all on function begin_code_try from public;
grant execute on function begin_code_try to issuer;
