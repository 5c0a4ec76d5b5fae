-- What the nodes of each network have spent today, and what their accounts have spent of their allowances with those of
-- all networks.
create or replace view operations.node_usage as
with spent as (
  select source, account, sum(requests) as requests, sum(units) as units
  from source_usage where day = date_trunc('day', now(), 'UTC') and source like 'rpc:%' group by source, account
), accounts as (
  select account, sum(units) filter (where day = date_trunc('day', now(), 'UTC')) as today, sum(units) as this_month
  from source_usage where day >= date_trunc('month', now(), 'UTC') group by account
), allowed as (
  select distinct on (account) account, quota, quota_per from sources
  where account is not null and quota is not null order by account, name
)
select substr(spent.source, 5) as network_id, spent.account, spent.requests::float8 as requests_today,
  spent.units::float8 as units_today, accounts.today::float8 as account_today,
  accounts.this_month::float8 as account_this_month, allowed.quota::float8 as allowance, allowed.quota_per as allowance_per
from spent join accounts using (account) left join allowed using (account);
grant select on operations.node_usage to console;
