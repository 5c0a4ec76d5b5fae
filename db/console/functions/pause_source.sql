-- Pauses a source in all workers, or resumes it. False: there is no such source, or nothing changes.
create or replace function pause_source(source text, is_paused boolean, operator text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  insert into source_orders as known (source, is_paused)
    select s.name, is_paused from sources s where s.name = source
    on conflict on constraint source_orders_pkey do update set is_paused = excluded.is_paused
      where known.is_paused <> excluded.is_paused;
  if not found then return false; end if;
  insert into operator_actions (operator, action, subject)
    values (operator, case when is_paused then 'pause a source' else 'resume a source' end, source);
  return true;
end $$;
revoke all on function pause_source from public;
grant execute on function pause_source to console;
