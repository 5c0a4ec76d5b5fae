-- Whether a wallet has positions, so that an index finds those to read again, whoever writes them. The triggers are here,
-- so that no position is written between them and the first marks.
alter table defi_reads add column is_holder boolean not null default false;
create function mark_defi_holders() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  update defi_reads as read set is_holder = not read.is_holder
  from (select distinct wallet_id, network_id from changed) as change
  where read.wallet_id = change.wallet_id and read.network_id = change.network_id
    and read.is_holder <> exists (
      select from defi_positions where wallet_id = change.wallet_id and network_id = change.network_id);
  return null;
end $$;
create trigger holders_inserted after insert on defi_positions
  referencing new table as changed for each statement execute function mark_defi_holders();
create trigger holders_deleted after delete on defi_positions
  referencing old table as changed for each statement execute function mark_defi_holders();
update defi_reads as read set is_holder = true where exists (
  select from defi_positions where wallet_id = read.wallet_id and network_id = read.network_id);
