-- Fees that are paid in a token.
alter table transfers
  drop constraint transfers_kind_check,
  add constraint transfers_kind_check check (kind in
    ('native', 'internal', 'mint', 'withdrawal', 'operation', 'erc20', 'erc721', 'erc1155', 'wrap', 'approval',
     'input', 'output', 'spl', 'rent', 'reward', 'issued', 'fee')) not valid;
