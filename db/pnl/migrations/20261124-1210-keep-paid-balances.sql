-- What was paid for a coin in a book while it has no market price, and the quantity of that cost.
alter table balance_days add column paid_quantity numeric, add column paid_usd numeric;
