alter table transaction_parts
  drop constraint transaction_parts_role_check,
  add constraint transaction_parts_role_check check (role in
    ('transfer', 'trade', 'wrap', 'fee', 'airdrop', 'reward', 'interest', 'rebase', 'spam')) not valid;
