-- Transactions of one instant of an exchange or a manual record count together: those books are computed again.
update pl_states set dirty_from = 'epoch'
where computed_to is not null and book_id in (select id from books where wallet_id is null);
