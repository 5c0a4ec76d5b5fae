-- Counts a try to sign in by name and by address. No row: too many were wrong from this address. `subject` and
-- `password_hash` are null if nobody may sign in by this name now: there is no such user, the user is disabled or has no
-- password, or too many tries were wrong.
create or replace function begin_sign_in(name text, address text)
returns table (subject text, password_hash text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  is_open boolean;
begin
  delete from sign_in_tries t where t.last_at < now() - interval '2 days';
  if not count_sign_in_try('address', address, 20) then
    return;
  end if;
  is_open := count_sign_in_try('name', name, 5);
  return query
    select u.subject, u.password_hash from (select) always
    left join users u on u.name = begin_sign_in.name and u.disabled_at is null and u.password_hash is not null
      and is_open;
end $$;
revoke all on function begin_sign_in from public;
grant execute on function begin_sign_in to issuer;
