-- Requests a retry of a quarantined row. False: the row is gone, cannot be retried, or is being retried. The
-- workflow id contains the time, because a retry requested while the previous one was ending would get the
-- same id and never run.
create or replace function retry_quarantined(id bigint, operator text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update quarantine q set retry_state = 'asked', retry_at = now(), retry_failure = null
    where q.id = retry_quarantined.id and q.activity is not null and q.area <> 'exchanges'
      -- After an hour a retry may be requested again, in case its workflow was terminated.
      and (q.retry_state is distinct from 'asked' or q.retry_at < now() - interval '1 hour');
  if found then
    insert into outbox (workflow, workflow_id, input)
      values (
        'retryQuarantined',
        'retry-quarantined:' || id || ':' || floor(extract(epoch from now()) * 1000),
        jsonb_build_object('id', id::text)
      );
    insert into operator_actions (operator, action, subject)
      values (operator, 'retry a quarantined row', 'row ' || id);
    return true;
  end if;
  return false;
end $$;
revoke all on function retry_quarantined from public;
grant execute on function retry_quarantined to console;
