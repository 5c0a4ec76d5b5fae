-- Tells nobody of a rule, or of one of its subjects, for some hours. Returns the id of the silence.
create or replace function silence_incidents(rule text, subject text, hours int, reason text, operator text)
returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with silence as (
    insert into incident_silences (rule, subject, until, reason, created_by)
    values (rule, subject, clock_timestamp() + hours * interval '1 hour', reason, operator)
    returning id
  ), noted as (
    insert into operator_actions (operator, action, subject)
    values (operator, 'silence incidents for ' || hours || ' h', trim(rule || ' ' || coalesce(subject, '')))
  )
  select id from silence
$$;
revoke all on function silence_incidents from public;
grant execute on function silence_incidents to console;
