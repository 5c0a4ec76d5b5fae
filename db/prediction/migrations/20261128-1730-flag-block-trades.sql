-- A trade that two parties agreed on beside the order book: its price is not one that the book had. Fills that were stored
-- before this column stay false.
alter table prediction_trades add column is_block boolean not null default false;
