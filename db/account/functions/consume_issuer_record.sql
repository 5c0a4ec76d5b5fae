-- Uses a code. False: it was used before, or is gone.
create or replace function consume_issuer_record(model text, id_hash bytea) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with used as (
    update issuer_records r set consumed_at = clock_timestamp()
    where r.model = consume_issuer_record.model and r.hash = id_hash and r.consumed_at is null
    returning 1
  )
  select exists (select from used)
$$;
revoke all on function consume_issuer_record from public;
grant execute on function consume_issuer_record to issuer;
