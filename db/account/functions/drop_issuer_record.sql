-- Deletes a record of the provider.
create or replace function drop_issuer_record(model text, id_hash bytea) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from issuer_records r where r.model = drop_issuer_record.model and r.hash = id_hash
$$;
revoke all on function drop_issuer_record from public;
grant execute on function drop_issuer_record to issuer;
