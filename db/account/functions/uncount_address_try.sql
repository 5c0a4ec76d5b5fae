-- A try from an address, which was counted before it was checked, was none of the wrong ones.
create or replace function uncount_address_try(address text) returns void
language sql set search_path = public, pg_temp as $$
  update sign_in_tries t set
    wrong = t.wrong - 1,
    locked_until = case when t.wrong % 20 > 0 then t.locked_until end
    where t.kind = 'address' and t.key = address and t.wrong > 0
$$;
revoke all on function uncount_address_try from public;
