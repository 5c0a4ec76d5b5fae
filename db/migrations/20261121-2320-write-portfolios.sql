-- What clients do to portfolios. A write commits with the charge of its request and the commands that follow from it.

-- Null: given up by its owner. Nobody sees it any more; a workflow removes what is left of it.
alter table portfolios alter column account_id drop not null;
-- Partial, so that the account is part of no key: giving up does not wait for whoever refers to the row.
alter table portfolios drop constraint portfolios_account_id_address_network_id_key;
create unique index portfolios_once on portfolios (account_id, address, network_id) where kind = 'wallet';

-- As before; whoever gave up has no figures.
create or replace function mark_account_dirty(account_id uuid) returns void language sql as $$
  insert into scopes (account_id) select $1 where $1 is not null on conflict (account_id) do update set dirty_from = 'epoch'
$$;

-- Its price is kept with it, and its book is marked.
alter table manual_transactions add column derived boolean not null default false;
create index manual_transactions_underived on manual_transactions (portfolio_id) where not derived;

-- Told to a workflow of the command's id, also to one that runs already; null: a running one is what was asked for.
alter table outbox add column signal text;

-- Does what the API decided for an account. What it was decided on is looked at again: where it no longer holds, SL001
-- is raised, nothing is charged, and the API decides anew.
create function apply_portfolio_writes(account_id uuid, writes jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  item jsonb;
begin
  for item in select w from jsonb_array_elements(writes) w loop
    case item->>'kind'
    when 'follow' then
      insert into portfolios (id, account_id, kind, name, address, network_id)
        values ((item->>'id')::uuid, account_id, 'wallet', item->>'name', item->>'address', item->>'networkId')
        on conflict do nothing;
    when 'rename' then
      update exchange_connections c set name = item->>'name'
        where c.id = (item->>'id')::uuid and c.account_id = apply_portfolio_writes.account_id;
      update portfolios p set name = item->>'name'
        where p.id = (item->>'id')::uuid and p.account_id = apply_portfolio_writes.account_id;
    when 'add' then
      insert into manual_transactions
        (id, portfolio_id, at, coin_id, count, price, currency, price_usd, note, source, fetched_at)
        select (item->>'id')::uuid, p.id, (item->>'at')::timestamptz, item->>'coinId', (item->>'count')::numeric,
          (item->>'price')::numeric, item->>'currency', (item->>'priceUsd')::numeric, item->>'note', 'owner', now()
        from portfolios p
        where p.id = (item->>'portfolioId')::uuid and p.kind = 'manual'
          and p.account_id = apply_portfolio_writes.account_id
        for key share;
    when 'remove' then
      delete from portfolio_shares s using portfolios p
        where s.portfolio_id = (item->>'id')::uuid and p.id = s.portfolio_id
          and p.account_id = apply_portfolio_writes.account_id;
      delete from exchange_secrets s
        where s.connection_id = (item->>'id')::uuid and s.account_id = apply_portfolio_writes.account_id;
      update portfolios p set account_id = null
        where p.id = (item->>'id')::uuid and p.account_id = apply_portfolio_writes.account_id;
    end case;
    if not found then
      raise exception 'what a write was decided on has changed' using errcode = 'SL001';
    end if;
  end loop;
end $$;
revoke all on function apply_portfolio_writes from public;

-- As before, with what else the request does.
drop function charge_write;
create function charge_write(
  request_id uuid, account_id uuid, cost bigint, endpoint text, price_input text,
  commands jsonb, idempotency_key text, fingerprint bytea, body text, writes jsonb default '[]'
) returns table (
  granted bigint, available bigint, period_ends_in_s integer, refused boolean, replayed_body text, mismatch boolean
)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  earlier idempotent_answers;
begin
  perform ensure_periods(array[account_id]);
  -- The writes of one account follow each other.
  perform from credit_periods p where p.account_id = charge_write.account_id for update;
  if idempotency_key is not null then
    select * into earlier from idempotent_answers i
      where i.account_id = charge_write.account_id and i.key = idempotency_key;
  end if;
  if earlier.key is not null then
    select c.granted, c.available, c.period_ends_in_s, false, earlier.fingerprint <> fingerprint
      into granted, available, period_ends_in_s, refused, mismatch
      from charge_batch(array[earlier.request_id], array[account_id], array[0::bigint], array[endpoint], array[price_input]) c;
    replayed_body := case when not mismatch then earlier.body end;
    return next;
    return;
  end if;
  select c.granted, c.available, c.period_ends_in_s, c.refused <> '{}', false
    into granted, available, period_ends_in_s, refused, mismatch
    from charge_batch(array[request_id], array[account_id], array[cost], array[endpoint], array[price_input]) c;
  if not refused then
    perform apply_portfolio_writes(account_id, writes);
    insert into outbox (workflow, workflow_id, input, signal)
      select c->>'workflow', c->>'workflowId', c->'input', c->>'signal' from jsonb_array_elements(commands) c;
    if idempotency_key is not null then
      delete from idempotent_answers i
        where i.account_id = charge_write.account_id and i.created_at < now() - interval '2 days';
      insert into idempotent_answers (account_id, key, request_id, fingerprint, body)
        values (account_id, idempotency_key, request_id, fingerprint, body);
    end if;
  end if;
  return next;
end $$;

-- The first answer to an idempotency key, before anything is done for it again; no row: there is none.
create function replay_write(account_id uuid, idempotency_key text, fingerprint bytea)
returns table (replayed_body text, mismatch boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select case when i.fingerprint = replay_write.fingerprint then i.body end, i.fingerprint <> replay_write.fingerprint
  from idempotent_answers i
  where i.account_id = replay_write.account_id and i.key = idempotency_key
$$;

revoke all on function charge_write, replay_write from public;
grant execute on function charge_write, replay_write to meter;

-- What the operator says that movements are, instead of what their transactions look like; kept over later syncs.
create table movement_labels (
  wallet_id bigint not null references wallets,
  network_id text not null references networks,
  tx_hash text not null,
  seq integer not null,
  role text not null check (role in ('transfer', 'trade', 'wrap', 'fee', 'airdrop', 'spam')),
  source text not null,
  fetched_at timestamptz not null,
  primary key (wallet_id, network_id, tx_hash, seq)
);
grant select on movement_labels to ingest;
