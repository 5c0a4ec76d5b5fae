-- A network that becomes synced joins the series of all networks.
create or replace trigger rank_on_sync after update on wallet_syncs for each row
  when ((old.synced_at is null) <> (new.synced_at is null)) execute function rank_synced_wallet();
create or replace trigger rank_on_synced_insert after insert on wallet_syncs for each row
  when (new.synced_at is not null) execute function rank_synced_wallet();
create or replace trigger rank_on_delete after delete on wallet_syncs for each row
  when (old.synced_at is not null) execute function rank_synced_wallet();

-- The DeFi positions of a wallet whose history is complete are read for the first time.
create or replace trigger defi_synced after update on wallet_syncs for each row
  when (old.synced_at is null and new.synced_at is not null) execute function mark_synced_defi_wallet();
create or replace trigger defi_begun after insert on wallet_syncs for each row
  when (new.synced_at is not null) execute function mark_synced_defi_wallet();
