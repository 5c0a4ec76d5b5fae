-- Pendle: principal and yield tokens, and liquidity of its markets. Wallets on its networks are read again.
insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('pendle', 'Pendle', 'https://icons.llamao.fi/icons/protocols/pendle', 'https://app.pendle.finance', null, 49);

insert into defi_deployments (protocol_id, network_id)
select 'pendle', unnest(array['ethereum', 'optimism-wallet', 'binancesmartchain', 'monad-wallet', 'sonic-wallet',
  'xlayer-wallet', 'hyperevm-wallet', 'mantle-wallet', 'base-wallet', 'plasma-wallet', 'arbitrum-wallet',
  'berachain-wallet']);

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs
where synced_at is not null and network_id in (select network_id from defi_deployments where protocol_id = 'pendle')
order by 1, 2 on conflict do nothing;
