-- Returns the account of an identity; null: not linked.
create or replace function identify(issuer text, subject text) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select i.account_id from identities i where i.issuer = identify.issuer and i.subject = identify.subject
$$;
revoke all on function identify from public;
grant execute on function identify to meter;
