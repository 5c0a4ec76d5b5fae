-- Convex: staked liquidity of Curve, staked cvxCRV and CVX, locked CVX. Wallets on its network are read again.
insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('convex', 'Convex', 'https://icons.llamao.fi/icons/protocols/convex-finance', 'https://www.convexfinance.com', null, 52);

insert into defi_deployments (protocol_id, network_id) values ('convex', 'ethereum');

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs
where synced_at is not null and network_id in (select network_id from defi_deployments where protocol_id = 'convex')
order by 1, 2 on conflict do nothing;
