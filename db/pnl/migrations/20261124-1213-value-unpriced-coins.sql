-- Coins without a market price count with what was paid for them: every book is computed again.
update pl_states set dirty_from = 'epoch' where computed_to is not null;
