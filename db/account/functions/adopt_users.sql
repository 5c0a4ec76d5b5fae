-- Brings the links of all users to the address at which the provider runs from now on. The provider calls it at its
-- start: a user is identified by that address, and it may have changed.
create or replace function adopt_users(issuer text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update identities i set issuer = adopt_users.issuer
    where i.issuer <> adopt_users.issuer and i.subject in (select subject from users)
      and not exists (select from identities n where n.issuer = adopt_users.issuer and n.subject = i.subject);
  update operators o set issuer = adopt_users.issuer
    where o.issuer <> adopt_users.issuer and o.subject in (select subject from users)
      and not exists (select from operators n where n.issuer = adopt_users.issuer and n.subject = o.subject);
$$;
revoke all on function adopt_users from public;
grant execute on function adopt_users to issuer;
