-- What the operator says of transactions of exchange accounts, instead of what the venue states: kept beside the row, by
-- the key of the venue, over later syncs. A row that has parts counts as these; part 0 is what the others leave of it.
create table transaction_parts (
  connection_id uuid not null,
  kind text not null,
  key text not null,
  part smallint not null check (part >= 0),
  share numeric,                       -- of each of its amounts
  role text,                           -- of what moved, not of the fee; null: what the kind says
  at timestamptz,                      -- when it counts; null: when the venue says
  portfolio_id uuid references portfolios on delete set null, -- where it counts; null: in its own account
  source text not null,
  fetched_at timestamptz not null,
  primary key (connection_id, kind, key, part),
  foreign key (connection_id, kind, key) references exchange_transactions on delete cascade,
  check (role in ('transfer', 'trade', 'wrap', 'fee', 'airdrop', 'spam')),
  check (case when part = 0 then share is null else share > 0 and share < 1 end)
);
create index transaction_parts_elsewhere on transaction_parts (portfolio_id) where portfolio_id is not null;
grant select on transaction_parts to api, ingest;

-- Notes from when on the figures are others where a part counts and where it would count. A portfolio that is being
-- removed has none.
create function mark_transaction_part(part transaction_parts) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  -- Null: the transaction goes with its account.
  stated_at timestamptz := (
    select t.at from exchange_transactions t
    where t.connection_id = part.connection_id and t.kind = part.kind and t.key = part.key);
  from_at timestamptz := coalesce(least(stated_at, case when stated_at is not null then part.at end), 'epoch');
begin
  update pl_states s set dirty_from = least(s.dirty_from, from_at)
  from books b where b.id = s.book_id and b.connection_id in (part.connection_id, part.portfolio_id);
  if exists (select from portfolios p where p.id = part.portfolio_id and p.kind = 'manual') then
    perform mark_manual_dirty(part.portfolio_id, from_at);
  end if;
end $$;
revoke all on function mark_transaction_part from public;
grant execute on function mark_transaction_part to ingest;

create function mark_changed_part() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    perform mark_transaction_part(old);
  end if;
  if tg_op <> 'DELETE' then
    perform mark_transaction_part(new);
  end if;
  return null;
end $$;
create trigger part_changed after insert or update or delete on transaction_parts
  for each row execute function mark_changed_part();
