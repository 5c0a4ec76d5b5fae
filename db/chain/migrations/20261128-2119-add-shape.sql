-- Shape. It is read only where the operator turns it on and a client names it.
-- It comes after the other networks of the OP Stack.
update networks set position = position + 1 where position > 27;
insert into networks
  (id, blockchain, name, icon, chain_id, coin_id, symbol, decimals, explorer_url, reorg_depth, position, wrapped_address, kind, entry_points)
select 'shape-wallet', 'shape', 'Shape', 'https://icons.llamao.fi/icons/chains/rsz_shape.jpg', 360, 'ethereum', 'ETH', 18,
  'https://shapescan.xyz', 30, 28, '0x4200000000000000000000000000000000000006', 'evm', entry_points
from networks where id = 'ethereum';
