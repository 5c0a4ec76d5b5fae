-- Morpho Blue, Compound v2 with its forks, and staked tokens.
insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('morpho-blue', 'Morpho Blue', 'https://icons.llamao.fi/icons/protocols/morpho-blue', 'https://app.morpho.org', 'https://docs.morpho.org/learn/concepts/liquidation/', 27),
  ('compound-v2', 'Compound V2', 'https://icons.llamao.fi/icons/protocols/compound-v2', 'https://app.compound.finance', 'https://docs.compound.finance/v2/comptroller/', 28),
  ('venus', 'Venus', 'https://icons.llamao.fi/icons/protocols/venus', 'https://app.venus.io', null, 29),
  ('moonwell', 'Moonwell', 'https://icons.llamao.fi/icons/protocols/moonwell', 'https://moonwell.fi', null, 30),
  ('benqi', 'Benqi', 'https://icons.llamao.fi/icons/protocols/benqi-lending', 'https://app.benqi.fi', null, 31),
  ('rocket-pool', 'Rocket Pool', 'https://icons.llamao.fi/icons/protocols/rocket-pool', 'https://stake.rocketpool.net', null, 32),
  ('ether-fi', 'ether.fi', 'https://icons.llamao.fi/icons/protocols/ether.fi', 'https://app.ether.fi', null, 33),
  ('coinbase-staked-eth', 'Coinbase Staked ETH', 'https://icons.llamao.fi/icons/protocols/coinbase-wrapped-staked-eth', 'https://www.coinbase.com/cbeth', null, 34),
  ('swell', 'Swell', 'https://icons.llamao.fi/icons/protocols/swell', 'https://app.swellnetwork.io', null, 35),
  ('benqi-staking', 'Benqi Staking', 'https://icons.llamao.fi/icons/protocols/benqi-staked-avax', 'https://app.benqi.fi/stake', null, 36);

insert into defi_deployments (protocol_id, network_id)
select protocol_id, network_id from (values
  ('morpho-blue', array['ethereum', 'base-wallet']),
  ('compound-v2', array['ethereum']),
  ('venus', array['ethereum', 'binancesmartchain', 'base-wallet', 'arbitrum-wallet', 'optimism-wallet', 'unichain-wallet', 'opbnb-wallet']),
  ('moonwell', array['ethereum', 'base-wallet', 'optimism-wallet', 'moonbeam-wallet', 'moonriver-wallet']),
  ('benqi', array['avalanche-wallet']),
  ('rocket-pool', array['ethereum']),
  ('ether-fi', array['ethereum']),
  ('coinbase-staked-eth', array['ethereum']),
  ('swell', array['ethereum']),
  ('benqi-staking', array['avalanche-wallet'])
) as known (protocol_id, network_ids) cross join unnest(network_ids) as network_id;

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs
where synced_at is not null and network_id = any(array['ethereum', 'base-wallet', 'binancesmartchain', 'arbitrum-wallet', 'optimism-wallet', 'unichain-wallet', 'opbnb-wallet', 'moonbeam-wallet', 'moonriver-wallet', 'avalanche-wallet'])
order by 1, 2 on conflict do nothing;
