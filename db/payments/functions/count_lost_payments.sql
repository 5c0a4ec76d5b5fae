-- For metrics: number of lost payments of the last day.
create or replace function count_lost_payments() returns bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select count(*) from payments p where p.state = 'lost' and p.settled_at > clock_timestamp() - interval '1 day'
$$;
revoke all on function count_lost_payments from public;
grant execute on function count_lost_payments to gateway, ingest;
