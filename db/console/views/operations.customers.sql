-- Calls and credits of each account in the last 30 days (UTC), including today, and the credits of its open
-- period.
create or replace view operations.customers as
select a.id, a.name, a.plan, used.calls, used.credits, c.granted, c.posted
from accounts a
join (
  select account_id, sum(calls)::bigint as calls, sum(credits)::bigint as credits from usage_days
  where day > (now() at time zone 'UTC')::date - 30 group by account_id
) used on used.account_id = a.id
left join credit_periods c on c.account_id = a.id and c.is_open;
grant select on operations.customers to console;
