-- Marks P&L dirty where a part counts and where it would count without correction. A portfolio that is being
-- removed has no P&L.
create or replace function mark_transaction_part(part transaction_parts) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  -- null: the transaction is being deleted with its account
  stated_at timestamptz := (
    select t.at from exchange_transactions t
    where t.connection_id = part.connection_id and t.kind = part.kind and t.key = part.key);
  from_at timestamptz := coalesce(least(stated_at, case when stated_at is not null then part.at end), 'epoch');
begin
  update pl_states s set dirty_from = least(s.dirty_from, from_at), legs_changed = true
  from books b where b.id = s.book_id and b.connection_id in (part.connection_id, part.portfolio_id);
  if exists (select from portfolios p where p.id = part.portfolio_id and p.kind = 'manual') then
    perform mark_manual_dirty(part.portfolio_id, from_at);
  end if;
end $$;
revoke all on function mark_transaction_part from public;
grant execute on function mark_transaction_part to ingest;
