-- The change of what was paid for a coin without a market price.
alter table coin_moves add column paid_usd numeric not null default 0;
alter table past.coin_moves add column paid_usd numeric not null default 0;
select past.keep_more('coin_moves', 'paid_usd',
  until => $u$ at <= (select current_setting('sluice.as_of')::timestamptz + interval '1 day') $u$);
