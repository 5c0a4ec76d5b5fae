-- The accounts that are open, their plans, and the credits of their open periods.
create or replace view operations.accounts as
select a.id, a.name, a.plan, a.created_at, a.degen,
  coalesce(a.credits_per_month, p.credits_per_month) as credits_per_month,
  coalesce(a.requests_per_second, p.requests_per_second) as requests_per_second, c.granted, c.posted, c.ends_at
from accounts a
join plans p on p.id = a.plan
left join credit_periods c on c.account_id = a.id and c.is_open
where a.name <> 'closed';
grant select on operations.accounts to console;
