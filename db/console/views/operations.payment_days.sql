-- Payments by the day of their claim. Ids grow with time, so the primary key serves as the index.
create or replace view operations.payment_days as
select (p.claimed_at at time zone 'UTC')::date as day, p.state, count(*)::int as payments, sum(p.amount)::numeric as amount
from payments p
where p.id >= (select uuidv7(interval '-31 days')) and (p.claimed_at at time zone 'UTC')::date > (now() at time zone 'UTC')::date - 30
group by 1, 2;
grant select on operations.payment_days to console;
