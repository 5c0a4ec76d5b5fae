-- Uniswap v4, whose positions are NFTs that its manager does not list by owner.
insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('uniswap-v4', 'Uniswap V4', 'https://icons.llamao.fi/icons/protocols/uniswap-v4', 'https://app.uniswap.org', null, 47);

insert into defi_deployments (protocol_id, network_id)
select 'uniswap-v4', unnest(array['ethereum', 'binancesmartchain', 'base-wallet', 'polygon-wallet', 'arbitrum-wallet', 'optimism-wallet', 'avalanche-wallet', 'monad-wallet', 'unichain-wallet', 'worldchain-wallet', 'ink-wallet', 'soneium-wallet', 'zora-wallet', 'blast-wallet', 'celo-wallet', 'linea-wallet', 'megaeth-wallet', 'xlayer-wallet']);

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs
where synced_at is not null and network_id in (select network_id from defi_deployments where protocol_id = 'uniswap-v4')
order by 1, 2 on conflict do nothing;
