-- The envelope of an event as it is sent. `data` is JSON text and stays as it is. While an event is held it has no number.
create or replace function event_body(id uuid, type text, at timestamptz, seq bigint, data text) returns text
language sql stable as $$
  select format('{"id":"evt_%s","type":"%s","timestamp":"%s","seq":%s,"data":%s}', replace(id::text, '-', ''), type,
    to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), coalesce('"' || seq || '"', 'null'), data)
$$;
revoke all on function event_body from public;
