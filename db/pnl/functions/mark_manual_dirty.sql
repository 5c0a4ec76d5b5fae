-- Marks a manual portfolio dirty from its earliest changed transaction on. Call it in the transaction of the
-- change.
create or replace function mark_manual_dirty(portfolio_id uuid, from_at timestamptz) returns void language sql as $$
  insert into books (portfolio_id) values ($1) on conflict do nothing;
  insert into pl_states (book_id, dirty_from, legs_changed) select b.id, $2, true from books b where b.portfolio_id = $1
    on conflict (book_id) do update set dirty_from = least(pl_states.dirty_from, excluded.dirty_from), legs_changed = true
$$;
