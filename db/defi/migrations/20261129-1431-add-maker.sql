-- Maker: vaults of wallets and of their proxies. Wallets on its network are read again.
insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('maker', 'Maker', 'https://icons.llamao.fi/icons/protocols/makerdao', 'https://sky.money',
   'https://docs.makerdao.com/smart-contract-modules/core-module/vat-detailed-documentation', 51);

insert into defi_deployments (protocol_id, network_id) values ('maker', 'ethereum');

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs
where synced_at is not null and network_id in (select network_id from defi_deployments where protocol_id = 'maker')
order by 1, 2 on conflict do nothing;
