-- What moved, where the venue says more than the kind, which is part of the key. Stored rewards say no more: the venue's
-- own word was not kept.
alter table exchange_transactions
  add column role text,
  add constraint exchange_transactions_role_check check (role in ('airdrop', 'interest')) not valid;
