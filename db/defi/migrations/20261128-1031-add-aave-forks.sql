-- Aave v3 on more networks, and its forks.
insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('spark', 'Spark', 'https://icons.llamao.fi/icons/protocols/spark', 'https://app.spark.fi', 'https://docs.spark.fi/dev/sparklend/features/liquidations', 25),
  ('tydro', 'Tydro', 'https://icons.llamao.fi/icons/protocols/tydro', 'https://app.tydro.com', 'https://aave.com/help/borrowing/liquidations', 26);

insert into defi_deployments (protocol_id, network_id)
select protocol_id, network_id from (values
  ('aave-v3', array['celo-wallet', 'fantom-wallet', 'gnosis-wallet', 'linea-wallet', 'mantle-wallet', 'megaeth-wallet', 'metis-wallet', 'scroll-wallet', 'soneium-wallet', 'sonic-wallet', 'xlayer-wallet']),
  ('spark', array['ethereum', 'gnosis-wallet']),
  ('tydro', array['ink-wallet'])
) as known (protocol_id, network_ids) cross join unnest(network_ids) as network_id;

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs
where synced_at is not null and network_id = any(array['celo-wallet', 'fantom-wallet', 'gnosis-wallet', 'linea-wallet', 'mantle-wallet', 'megaeth-wallet', 'metis-wallet', 'scroll-wallet', 'soneium-wallet', 'sonic-wallet', 'xlayer-wallet', 'ethereum', 'ink-wallet'])
order by 1, 2 on conflict do nothing;
