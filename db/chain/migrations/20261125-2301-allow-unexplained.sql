-- Native coins came or went without a row: the explorer is asked once.
alter table touched_wallets
  drop constraint touched_wallets_reason,
  add constraint touched_wallets_reason check (reason in ('block', 'reorg', 'verify', 'unexplained')) not valid;
