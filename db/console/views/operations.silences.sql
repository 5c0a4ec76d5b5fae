-- Silences that last.
create or replace view operations.silences as
select id, rule, subject, until, reason, created_by from incident_silences where until > now();
grant select on operations.silences to console;
