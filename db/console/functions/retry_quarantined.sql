-- Asks for a quarantined row to be ingested again. False: there is none such, or it cannot be, or is being retried. The time
-- is in the workflow's id: a retry that was asked for while the one before was ending had that one's id, and was never run.
create or replace function retry_quarantined(id bigint) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update quarantine q set retry_state = 'asked', retry_at = now(), retry_failure = null
    where q.id = retry_quarantined.id and q.activity is not null and q.area <> 'exchanges'
      -- One whose workflow was ended by hand may be asked for again.
      and (q.retry_state is distinct from 'asked' or q.retry_at < now() - interval '1 hour');
  if found then
    insert into outbox (workflow, workflow_id, input)
      values (
        'retryQuarantined',
        'retry-quarantined:' || id || ':' || floor(extract(epoch from now()) * 1000),
        jsonb_build_object('id', id::text)
      );
  end if;
  return found;
end $$;
revoke all on function retry_quarantined from public;
grant execute on function retry_quarantined to console;
