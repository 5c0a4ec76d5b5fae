-- Staked and escrowed GMX. Wallets on its networks are read again.
insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('gmx-staking', 'GMX Staking', 'https://icons.llamao.fi/icons/protocols/gmx', 'https://app.gmx.io/#/earn', null, 53);

insert into defi_deployments (protocol_id, network_id)
select 'gmx-staking', unnest(array['arbitrum-wallet', 'avalanche-wallet']);

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs
where synced_at is not null
  and network_id in (select network_id from defi_deployments where protocol_id = 'gmx-staking')
order by 1, 2 on conflict do nothing;
