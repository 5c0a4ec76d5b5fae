-- Positions on Solana. Their places count from 1 again, because answers are ordered by network first.
insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('solana-staking', 'Solana Staking', 'https://icons.llamao.fi/icons/chains/rsz_solana.jpg', 'https://solana.com/staking', null, 1),
  ('jito', 'Jito', 'https://icons.llamao.fi/icons/protocols/jito-liquid-staking', 'https://www.jito.network/staking', null, 2),
  ('blazestake', 'BlazeStake', 'https://icons.llamao.fi/icons/protocols/blazestake', 'https://stake.solblaze.org', null, 3),
  ('jupiter-staked-sol', 'Jupiter Staked SOL', 'https://icons.llamao.fi/icons/protocols/jupiter-staked-sol', 'https://jup.ag', null, 4),
  ('binance-staked-sol', 'Binance Staked SOL', 'https://icons.llamao.fi/icons/protocols/binance-staked-sol', 'https://www.binance.com/en/solana-staking', null, 5),
  ('phantom-staked-sol', 'Phantom Staked SOL', 'https://icons.llamao.fi/icons/protocols/phantom-staked-sol', 'https://phantom.com', null, 6),
  ('the-vault', 'The Vault', 'https://icons.llamao.fi/icons/protocols/the-vault', 'https://thevault.finance', null, 7),
  ('sanctum', 'Sanctum', 'https://icons.llamao.fi/icons/protocols/sanctum-validator-lsts', 'https://app.sanctum.so', null, 8),
  ('spl-stake-pools', 'Stake Pools', 'https://icons.llamao.fi/icons/chains/rsz_solana.jpg', 'https://solanacompass.com/stake-pools', null, 9),
  ('marinade', 'Marinade', 'https://icons.llamao.fi/icons/protocols/marinade-liquid-staking', 'https://marinade.finance', null, 10),
  ('marinade-tickets', 'Marinade Tickets', 'https://icons.llamao.fi/icons/protocols/marinade-liquid-staking', 'https://marinade.finance', null, 11);

insert into defi_deployments (protocol_id, network_id)
select unnest(array['solana-staking', 'jito', 'blazestake', 'jupiter-staked-sol', 'binance-staked-sol',
  'phantom-staked-sol', 'the-vault', 'sanctum', 'spl-stake-pools', 'marinade', 'marinade-tickets']), 'solana';

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs where synced_at is not null and network_id = 'solana'
order by 1, 2 on conflict do nothing;
