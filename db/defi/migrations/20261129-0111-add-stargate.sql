-- Stargate v2: liquidity of its pools, in hand and staked. Wallets on its networks are read again.
insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('stargate', 'Stargate', 'https://icons.llamao.fi/icons/protocols/stargate', 'https://stargate.finance', null, 50);

insert into defi_deployments (protocol_id, network_id)
select 'stargate', unnest(array['ethereum', 'binancesmartchain', 'base-wallet', 'polygon-wallet', 'arbitrum-wallet',
  'optimism-wallet', 'avalanche-wallet', 'metis-wallet', 'mantle-wallet', 'scroll-wallet', 'aurora-wallet',
  'core-wallet', 'sonic-wallet', 'unichain-wallet', 'soneium-wallet', 'gnosis-wallet', 'sei-wallet']);

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs
where synced_at is not null and network_id in (select network_id from defi_deployments where protocol_id = 'stargate')
order by 1, 2 on conflict do nothing;
