-- Rows of an older form are derived again (see ../stored-transaction.ts). Until that is done, both differ.
alter table wallet_syncs
  add column format_version integer not null default 1,     -- of the oldest wallet transaction
  add column normalised_version integer not null default 1; -- of those up to normalised_block
