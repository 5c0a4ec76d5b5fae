-- Of coins without a market price: the quantity held at an unknown cost, and what was paid for the rest.
alter table coin_folds
  add column unvalued_quantity numeric not null default 0, add column paid_usd numeric not null default 0;
alter table past.coin_folds
  add column unvalued_quantity numeric not null default 0, add column paid_usd numeric not null default 0;
select past.keep_more('coin_folds', 'unvalued_quantity, paid_usd',
  until => $u$ month <= (select current_setting('sluice.as_of')::timestamptz + interval '1 day') $u$);
