-- Deletes everything that was given out with a grant.
create or replace function revoke_issuer_grant(grant_id text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from issuer_records r where r.grant_id = revoke_issuer_grant.grant_id
$$;
revoke all on function revoke_issuer_grant from public;
grant execute on function revoke_issuer_grant to issuer;
