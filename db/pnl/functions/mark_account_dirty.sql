-- Notes that an account has other portfolios, or that the cost method of one of them or of all is another. To be called
-- in the transaction of the change, after mark_manual_dirty where both are due. Whoever gave up has no figures.
create or replace function mark_account_dirty(account_id uuid) returns void language sql as $$
  insert into scopes (account_id) select $1 where $1 is not null on conflict (account_id) do update set dirty_from = 'epoch'
$$;
