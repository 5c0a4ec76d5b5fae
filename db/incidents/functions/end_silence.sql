-- Ends a silence now. False: there is none that lasts.
create or replace function end_silence(id bigint, operator text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with ended as (
    update incident_silences s set until = clock_timestamp()
    where s.id = end_silence.id and s.until > clock_timestamp()
    returning trim(s.rule || ' ' || coalesce(s.subject, '')) as subject
  ), noted as (
    insert into operator_actions (operator, action, subject) select operator, 'end a silence', subject from ended
  )
  select exists (select from ended)
$$;
revoke all on function end_silence from public;
grant execute on function end_silence to console;
