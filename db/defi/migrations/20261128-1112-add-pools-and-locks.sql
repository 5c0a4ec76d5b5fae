-- Solidly's descendants, Curve, Balancer, EigenLayer and locks for votes.
insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('eigenlayer', 'EigenLayer', 'https://icons.llamao.fi/icons/protocols/eigenlayer', 'https://app.eigenlayer.xyz', null, 37),
  ('aerodrome', 'Aerodrome', 'https://icons.llamao.fi/icons/protocols/aerodrome-v1', 'https://aerodrome.finance', null, 38),
  ('velodrome', 'Velodrome', 'https://icons.llamao.fi/icons/protocols/velodrome-v2', 'https://velodrome.finance', null, 39),
  ('aerodrome-slipstream', 'Aerodrome Slipstream', 'https://icons.llamao.fi/icons/protocols/aerodrome-slipstream', 'https://aerodrome.finance', null, 40),
  ('velodrome-slipstream', 'Velodrome Slipstream', 'https://icons.llamao.fi/icons/protocols/velodrome-v3', 'https://velodrome.finance', null, 41),
  ('curve', 'Curve', 'https://icons.llamao.fi/icons/protocols/curve-dex', 'https://www.curve.finance', null, 42),
  ('curve-locks', 'Curve Locks', 'https://icons.llamao.fi/icons/protocols/curve-dex', 'https://dao.curve.finance', null, 43),
  ('balancer-v2', 'Balancer V2', 'https://icons.llamao.fi/icons/protocols/balancer-v2', 'https://balancer.fi', null, 44),
  ('balancer-v3', 'Balancer V3', 'https://icons.llamao.fi/icons/protocols/balancer-v3', 'https://balancer.fi', null, 45),
  ('balancer-locks', 'Balancer Locks', 'https://icons.llamao.fi/icons/protocols/balancer-v2', 'https://balancer.fi/vebal', null, 46);

insert into defi_deployments (protocol_id, network_id)
select protocol_id, network_id from (values
  ('eigenlayer', array['ethereum']),
  ('aerodrome', array['base-wallet']),
  ('velodrome', array['optimism-wallet']),
  ('aerodrome-slipstream', array['base-wallet']),
  ('velodrome-slipstream', array['optimism-wallet']),
  ('curve', array['ethereum']),
  ('curve-locks', array['ethereum']),
  ('balancer-v2', array['ethereum', 'base-wallet', 'polygon-wallet', 'arbitrum-wallet', 'optimism-wallet', 'avalanche-wallet', 'gnosis-wallet']),
  ('balancer-v3', array['ethereum', 'base-wallet', 'arbitrum-wallet', 'optimism-wallet', 'avalanche-wallet', 'gnosis-wallet']),
  ('balancer-locks', array['ethereum'])
) as known (protocol_id, network_ids) cross join unnest(network_ids) as network_id;

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs
where synced_at is not null and network_id = any(array['ethereum', 'base-wallet', 'optimism-wallet', 'polygon-wallet', 'arbitrum-wallet', 'avalanche-wallet', 'gnosis-wallet'])
order by 1, 2 on conflict do nothing;
