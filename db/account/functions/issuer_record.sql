-- A record of the provider, by the hash of its id or, of sessions, by `uid`. No row: it is gone or has expired.
create or replace function issuer_record(model text, id_hash bytea, uid text)
returns table (payload jsonb, consumed_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.payload, r.consumed_at from issuer_records r
  where r.model = issuer_record.model and r.expires_at > now()
    and case when id_hash is null then r.uid = issuer_record.uid else r.hash = id_hash end
$$;
revoke all on function issuer_record from public;
grant execute on function issuer_record to issuer;
