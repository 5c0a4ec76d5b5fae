-- Income has a role for each of its kinds: see db/pnl/legs/roles.ts.
alter table movements
  drop constraint movements_role_check,
  add constraint movements_role_check check (role in
    ('transfer', 'trade', 'wrap', 'fee', 'airdrop', 'reward', 'interest', 'rebase', 'opening', 'spam')) not valid;
