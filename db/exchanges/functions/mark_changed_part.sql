-- Adding, deleting or changing a part also changes the rest (part 0), which may count elsewhere or earlier.
create or replace function mark_changed_part() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  changed transaction_parts := case when tg_op = 'DELETE' then old else new end;
begin
  if tg_op <> 'INSERT' then
    perform mark_transaction_part(old);
  end if;
  if tg_op <> 'DELETE' then
    perform mark_transaction_part(new);
  end if;
  if changed.part > 0 then
    perform mark_transaction_part(rest) from transaction_parts as rest
      where rest.connection_id = changed.connection_id and rest.kind = changed.kind and rest.key = changed.key
        and rest.part = 0;
  end if;
  return null;
end $$;
