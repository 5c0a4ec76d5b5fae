-- Incidents that fire now, until when they are silenced, and which receivers were told.
create or replace view operations.incidents as
select i.id, i.rule, i.subject, i.severity, i.summary, i.fired_at, i.acknowledged_by,
  (select max(until) from incident_silences s
   where s.rule = i.rule and coalesce(s.subject = i.subject, true) and until > now()) as silenced_until,
  array(select receiver from incident_notices n where n.incident_id = i.id and n.state = 'firing'
    and n.sent_at is not null order by 1) as told,
  array(select receiver || ': ' || failure from incident_notices n where n.incident_id = i.id
    and n.failure is not null order by 1) as failures
from incidents i where i.fired_at is not null and i.resolved_at is null;
grant select on operations.incidents to console;
