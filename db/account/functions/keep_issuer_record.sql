-- Stores or replaces a record of the provider. Each new sign-in also deletes what has expired.
create or replace function keep_issuer_record(model text, id_hash bytea, payload jsonb, seconds int) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from issuer_records r where keep_issuer_record.model = 'Interaction' and r.expires_at <= now();
  insert into issuer_records as r (model, hash, payload, uid, grant_id, expires_at)
    values (keep_issuer_record.model, id_hash, keep_issuer_record.payload, keep_issuer_record.payload ->> 'uid',
      keep_issuer_record.payload ->> 'grantId', now() + seconds * interval '1 second')
    on conflict on constraint issuer_records_pkey do update
      set payload = excluded.payload, uid = excluded.uid, grant_id = excluded.grant_id, expires_at = excluded.expires_at;
$$;
revoke all on function keep_issuer_record from public;
grant execute on function keep_issuer_record to issuer;
