-- The code that begin_code_try counted was right.
create or replace function pass_code_try(subject text, address text) returns void
language sql security definer set search_path = public, pg_temp as $$
  select uncount_address_try(address);
  delete from sign_in_tries t where t.kind = 'code' and t.key = subject;
$$;
revoke all on function pass_code_try from public;
grant execute on function pass_code_try to issuer;
