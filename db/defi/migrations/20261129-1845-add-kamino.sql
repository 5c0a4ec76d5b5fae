insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('kamino-lend', 'Kamino Lend', 'https://icons.llamao.fi/icons/protocols/kamino-lend', 'https://kamino.com/portfolio', null, 14);

insert into defi_deployments (protocol_id, network_id) values ('kamino-lend', 'solana');

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs where synced_at is not null and network_id = 'solana'
order by 1, 2 on conflict do nothing;
