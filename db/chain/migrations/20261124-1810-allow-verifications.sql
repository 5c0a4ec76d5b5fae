-- verify: the balances of a followed wallet are to be compared with the chain.
alter table touched_wallets
  drop constraint touched_wallets_reason,
  add constraint touched_wallets_reason check (reason in ('block', 'reorg', 'verify')) not valid;
