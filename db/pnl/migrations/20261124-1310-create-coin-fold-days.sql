-- The amounts of a fold in USD by the day from which they are: what changed in each month (sparse). A rate holds for a
-- day, so they give each figure in any currency at the rates of its own instants.
create table coin_fold_days (
  fold_id bigint not null references folds on delete cascade,
  coin_id text not null,
  month timestamptz not null,          -- its start
  -- The cost of what is held is `held` of the latest month times the costs of all months.
  held numeric not null,
  days jsonb not null,                 -- [day since 1970, acquired, disposed, cost], ...
  primary key (fold_id, coin_id, month)
);

grant select, insert, update, delete on coin_fold_days to ingest;
grant select on coin_fold_days to api;

-- Clocks of chains may be ahead.
select past.keep('coin_fold_days', 'fold_id, coin_id, month', 'held, days',
  until => $u$ month <= (select current_setting('sluice.as_of')::timestamptz + interval '1 day') $u$);
