-- Applies the writes that the API decided on for an account, and checks their conditions again. When one does
-- not hold any more, it raises SL001: nothing is charged, and the API decides again.
create or replace function apply_portfolio_writes(account_id uuid, writes jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  item jsonb;
  stated_at timestamptz;
  adds jsonb := jsonb_path_query_array(writes, '$[*] ? (@.kind == "add")');
  added integer;
begin
  -- One statement for all of an imported file: the triggers of each would take milliseconds, while other charges wait.
  if adds <> '[]' then
    insert into manual_transactions
      (id, portfolio_id, at, coin_id, count, price, currency, price_usd, note, source, fetched_at)
      select (w->>'id')::uuid, p.id, (w->>'at')::timestamptz, w->>'coinId', (w->>'count')::numeric,
        (w->>'price')::numeric, w->>'currency', (w->>'priceUsd')::numeric, w->>'note', 'owner', now()
      from jsonb_array_elements(adds) w
      join portfolios p on p.id = (w->>'portfolioId')::uuid and p.kind = 'manual'
        and p.account_id = apply_portfolio_writes.account_id
      for key share of p
      on conflict (id) do nothing;
    get diagnostics added = row_count;
    if added <> jsonb_array_length(adds) then
      raise exception 'what a write was decided on has changed' using errcode = 'SL001';
    end if;
  end if;
  for item in select w from jsonb_array_elements(writes) w where w->>'kind' <> 'add' loop
    case item->>'kind'
    when 'follow' then
      insert into portfolios (id, account_id, kind, name, address, network_id)
        values ((item->>'id')::uuid, account_id, 'wallet', item->>'name', item->>'address', item->>'networkId')
        on conflict do nothing;
      -- So nothing calls the account's figures complete before they include it.
      if found then
        perform mark_account_dirty(account_id);
      end if;
    when 'open' then
      insert into portfolios (id, account_id, kind, name)
        values ((item->>'id')::uuid, account_id, 'manual', item->>'name');
    when 'cost-method' then
      update portfolios p set cost_method = item->>'method'
        where p.id = (item->>'id')::uuid and p.account_id = apply_portfolio_writes.account_id;
      if found then
        perform mark_account_dirty(account_id);
      end if;
    when 'rename' then
      update exchange_connections c set name = item->>'name'
        where c.id = (item->>'id')::uuid and c.account_id = apply_portfolio_writes.account_id;
      update portfolios p set name = item->>'name'
        where p.id = (item->>'id')::uuid and p.account_id = apply_portfolio_writes.account_id;
    when 'correct', 'delete' then
      -- Locks the portfolio before its P&L, as a recompute does.
      perform from portfolios p
        where p.id = (item->>'portfolioId')::uuid and p.account_id = apply_portfolio_writes.account_id
        for no key update;
      if found then
        select t.at into stated_at from manual_transactions t
          where t.id = (item->>'id')::uuid and t.portfolio_id = (item->>'portfolioId')::uuid
            and t.xmin::text = item->>'version';
      end if;
      if found then
        -- The recompute itself marks the instant of the corrected transaction.
        perform mark_manual_dirty((item->>'portfolioId')::uuid, stated_at);
        if item->>'kind' = 'delete' then
          delete from manual_transactions t where t.id = (item->>'id')::uuid;
        else
          update manual_transactions t set at = (item->>'at')::timestamptz, coin_id = item->>'coinId',
            count = (item->>'count')::numeric, price = (item->>'price')::numeric, currency = item->>'currency',
            price_usd = (item->>'priceUsd')::numeric, note = item->>'note', fetched_at = now(), derived = false
            where t.id = (item->>'id')::uuid;
        end if;
      end if;
    when 'remove' then
      delete from import_uploads u
        where u.portfolio_id = (item->>'id')::uuid and u.account_id = apply_portfolio_writes.account_id;
      delete from portfolio_shares s using portfolios p
        where s.portfolio_id = (item->>'id')::uuid and p.id = s.portfolio_id
          and p.account_id = apply_portfolio_writes.account_id;
      delete from exchange_secrets s
        where s.connection_id = (item->>'id')::uuid and s.account_id = apply_portfolio_writes.account_id;
      update portfolios p set account_id = null
        where p.id = (item->>'id')::uuid and p.account_id = apply_portfolio_writes.account_id;
    when 'use-upload' then
      delete from import_uploads u
        where u.id = (item->>'id')::uuid and u.account_id = apply_portfolio_writes.account_id and u.expires_at > now();
    when 'redeem' then
      update connect_codes c set redeemed_at = now()
        where c.hash = decode(item->>'codeHash', 'hex') and c.account_id = apply_portfolio_writes.account_id
          and c.redeemed_at is null;
    end case;
    if not found then
      raise exception 'what a write was decided on has changed' using errcode = 'SL001';
    end if;
  end loop;
end $$;
revoke all on function apply_portfolio_writes from public;
