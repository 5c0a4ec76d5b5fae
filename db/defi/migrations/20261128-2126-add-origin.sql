-- Origin, whose wrapped tokens are vaults by ERC-4626. Wallets on their networks are read again.
insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('origin', 'Origin', 'https://icons.llamao.fi/icons/protocols/origin-defi', 'https://app.originprotocol.com', null, 48);

insert into defi_deployments (protocol_id, network_id)
select 'origin', unnest(array['ethereum', 'base-wallet', 'sonic-wallet']);

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs
where synced_at is not null and network_id in (select network_id from defi_deployments where protocol_id = 'origin')
order by 1, 2 on conflict do nothing;
