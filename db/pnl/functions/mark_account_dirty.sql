-- Marks an account dirty after a change of its portfolios or of a cost method. Call it in the transaction of
-- the change, after mark_manual_dirty if both are due. A null account_id does nothing: the account
-- gave up the portfolio.
create or replace function mark_account_dirty(account_id uuid) returns void language sql as $$
  insert into scopes (account_id) select $1 where $1 is not null on conflict (account_id) do update set dirty_from = 'epoch'
$$;
