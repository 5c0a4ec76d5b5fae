-- When a token of a DeFi position is identified, records its coin as held from then on.
create or replace trigger hold_coins after update on tokens referencing new table as new_rows
  for each statement execute function past.hold_coins(
    'select n.coin_id from new_rows n
     where (n.network_id, n.address) in (select network_id, token_address from defi_assets)');
-- Answers that all callers share are kept until the table changes.
create or replace trigger note_revision after insert or update or delete or truncate on tokens
  for each statement execute function note_revision();
