-- Sets rate and budget of a source in all workers; null: as the worker is set. False: there is no such source, or it is a
-- node, whose rate is that of its plan.
create or replace function limit_source(
  source text, requests_per_second double precision, burst int, quota bigint, quota_per text, operator text
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  insert into source_orders (source, requests_per_second, burst, quota, quota_per)
    select s.name, requests_per_second, burst, quota, quota_per from sources s
    where s.name = source and (s.area <> 'nodes' or num_nonnulls(requests_per_second, burst) = 0)
    on conflict on constraint source_orders_pkey do update set requests_per_second = excluded.requests_per_second,
      burst = excluded.burst, quota = excluded.quota, quota_per = excluded.quota_per;
  if not found then return false; end if;
  insert into operator_actions (operator, action, subject) values (
    operator,
    'limit a source to ' || coalesce(requests_per_second || ' requests a second', 'its usual rate')
      || coalesce(', ' || burst || ' at once', '') || coalesce(', ' || quota || ' a ' || quota_per, ''),
    source
  );
  return true;
end $$;
revoke all on function limit_source from public;
grant execute on function limit_source to console;
