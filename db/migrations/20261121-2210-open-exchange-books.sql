-- What the venue states beyond the history it gives, as a transaction: `opening`.
alter table exchange_transactions drop constraint exchange_transactions_kind_check;
alter table exchange_transactions add constraint exchange_transactions_kind_check check (
  kind in ('fill', 'dust', 'convert', 'deposit', 'withdrawal', 'reward', 'adjustment', 'fee', 'opening'));

-- Accounts that were synced are computed by the next run; others by their first sync.
insert into books (connection_id) select id from exchange_connections where synced_at is not null order by created_at, id;
insert into pl_states (book_id, dirty_from, computed_to)
select id, timestamptz 'epoch', timestamptz 'epoch' from books where connection_id is not null;
