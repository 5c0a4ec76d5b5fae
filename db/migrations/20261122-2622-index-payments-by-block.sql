-- Settled payments of the newest blocks are looked at again.
drop index concurrently if exists payments_by_block;
create index concurrently payments_by_block on payments (block_number) where block_number is not null;
