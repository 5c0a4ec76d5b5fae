-- Keeps a ticket of an account for a minute, and forgets those that have expired.
create or replace function keep_event_ticket(hash bytea, account_id uuid) returns timestamptz
language sql security definer set search_path = public, pg_temp as $$
  with expired as (delete from event_tickets t where t.expires_at <= now())
  insert into event_tickets (hash, account_id, expires_at) values ($1, $2, now() + interval '1 minute')
  returning expires_at
$$;
revoke all on function keep_event_ticket from public;
grant execute on function keep_event_ticket to meter;
