-- Says that somebody works on an incident. False: it does not fire, or somebody has said so.
create or replace function acknowledge_incident(id bigint, operator text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with acknowledged as (
    update incidents i set acknowledged_at = clock_timestamp(), acknowledged_by = operator
    where i.id = acknowledge_incident.id and i.fired_at is not null and i.resolved_at is null
      and i.acknowledged_at is null
    returning trim(i.rule || ' ' || i.subject) as subject
  ), noted as (
    insert into operator_actions (operator, action, subject)
    select operator, 'acknowledge an incident', subject from acknowledged
  )
  select exists (select from acknowledged)
$$;
revoke all on function acknowledge_incident from public;
grant execute on function acknowledge_incident to console;
