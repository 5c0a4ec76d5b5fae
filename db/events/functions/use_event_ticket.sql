-- Takes a ticket and returns its account; null: it is unknown, used or expired.
create or replace function use_event_ticket(hash bytea) returns uuid
language sql security definer set search_path = public, pg_temp as $$
  delete from event_tickets t where t.hash = $1 returning case when t.expires_at > now() then t.account_id end
$$;
revoke all on function use_event_ticket from public;
grant execute on function use_event_ticket to meter;
