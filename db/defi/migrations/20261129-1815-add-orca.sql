insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('orca', 'Orca', 'https://icons.llamao.fi/icons/protocols/orca', 'https://www.orca.so/portfolio', null, 12);

insert into defi_deployments (protocol_id, network_id) values ('orca', 'solana');

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs where synced_at is not null and network_id = 'solana'
order by 1, 2 on conflict do nothing;
