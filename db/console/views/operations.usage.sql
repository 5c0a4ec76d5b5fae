-- Usage of all accounts in the last 30 days (UTC), including today.
create or replace view operations.usage as
select u.day, u.endpoint, sum(u.calls)::bigint as calls, sum(u.credits)::bigint as credits
from usage_days u where u.day > (now() at time zone 'UTC')::date - 30 group by u.day, u.endpoint;
grant select on operations.usage to console;
