alter table movement_labels
  drop constraint movement_labels_role_check,
  add constraint movement_labels_role_check check (role in
    ('transfer', 'trade', 'wrap', 'fee', 'airdrop', 'reward', 'interest', 'rebase', 'spam')) not valid;
