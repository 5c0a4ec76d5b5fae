-- Closes an account for good. Nobody can use it any more, and what says who its owner is and what they own goes. Its
-- ledger and usage stay, for accounting, under an account without a name. The worker deletes what only its
-- portfolios have.
create or replace function close_account(account_id uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  perform from accounts a where a.id = account_id for update;
  update api_keys k set revoked_at = coalesce(k.revoked_at, now()), name = ''
    where k.account_id = close_account.account_id;
  delete from webhook_endpoints e where e.account_id = close_account.account_id;
  delete from alert_rules r where r.account_id = close_account.account_id;
  delete from event_subscriptions s where s.account_id = close_account.account_id;
  delete from event_tickets t where t.account_id = close_account.account_id;
  delete from account_events e where e.account_id = close_account.account_id;
  delete from import_uploads u where u.account_id = close_account.account_id;
  delete from connect_codes c where c.account_id = close_account.account_id;
  delete from connect_kits k where k.account_id = close_account.account_id;
  delete from idempotent_answers i where i.account_id = close_account.account_id;
  delete from portfolio_shares s using portfolios p
    where p.id = s.portfolio_id and p.account_id = close_account.account_id;
  delete from exchange_secrets s where s.account_id = close_account.account_id;
  update outbox o set account_id = null where o.account_id = close_account.account_id;
  insert into outbox (workflow, workflow_id, input)
    select 'removePortfolio', 'remove:' || p.id, jsonb_build_object('accountId', account_id, 'portfolioId', p.id)
    from portfolios p where p.account_id = close_account.account_id;
  update portfolios p set account_id = null where p.account_id = close_account.account_id;
  perform end_sessions_of_user(i.subject) from identities i where i.account_id = close_account.account_id;
  delete from users u using identities i
    where i.account_id = close_account.account_id and u.subject = i.subject
      and not exists (select from operators o where o.subject = u.subject);
  delete from identities i where i.account_id = close_account.account_id;
  update accounts a set name = 'closed', degen = false where a.id = close_account.account_id;
end $$;
revoke all on function close_account from public;
grant execute on function close_account to account;
