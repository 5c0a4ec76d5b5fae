-- Tokens that accounts of the XRP Ledger issue.
alter table transfers
  drop constraint transfers_kind_check,
  add constraint transfers_kind_check check (kind in
    ('native', 'internal', 'mint', 'withdrawal', 'operation', 'erc20', 'erc721', 'erc1155', 'wrap', 'approval',
     'input', 'output', 'spl', 'rent', 'reward', 'issued')) not valid;
