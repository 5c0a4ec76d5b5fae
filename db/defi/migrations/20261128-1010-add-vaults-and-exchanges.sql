-- Vaults by ERC-4626, and Uniswap v2 and v3 with their forks. Wallets on their networks are read again.
insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('morpho-vaults', 'Morpho Vaults', 'https://icons.llamao.fi/icons/protocols/morpho-blue', 'https://app.morpho.org', null, 6),
  ('euler-v2', 'Euler V2', 'https://icons.llamao.fi/icons/protocols/euler', 'https://app.euler.finance', null, 7),
  ('fluid-lending', 'Fluid Lending', 'https://icons.llamao.fi/icons/protocols/fluid', 'https://fluid.io', null, 8),
  ('yearn-v3', 'Yearn V3', 'https://icons.llamao.fi/icons/protocols/yearn-finance', 'https://yearn.fi', null, 9),
  ('sky', 'Sky', 'https://icons.llamao.fi/icons/protocols/sky', 'https://sky.money', null, 10),
  ('spark-savings', 'Spark Savings', 'https://icons.llamao.fi/icons/protocols/spark', 'https://app.spark.fi', null, 11),
  ('ethena', 'Ethena', 'https://icons.llamao.fi/icons/protocols/ethena', 'https://app.ethena.fi', null, 12),
  ('maple', 'Maple', 'https://icons.llamao.fi/icons/protocols/maple', 'https://app.maple.finance', null, 13),
  ('frax', 'Frax', 'https://icons.llamao.fi/icons/protocols/frax', 'https://frax.com', null, 14),
  ('curve-savings', 'Savings crvUSD', 'https://icons.llamao.fi/icons/protocols/curve-dex', 'https://crvusd.curve.finance', null, 15),
  ('inverse', 'Inverse', 'https://icons.llamao.fi/icons/protocols/inverse-finance', 'https://www.inverse.finance', null, 16),
  ('falcon', 'Falcon', 'https://icons.llamao.fi/icons/protocols/falcon-finance', 'https://app.falcon.finance', null, 17),
  ('uniswap-v2', 'Uniswap V2', 'https://icons.llamao.fi/icons/protocols/uniswap-v2', 'https://app.uniswap.org/positions', null, 18),
  ('sushiswap', 'SushiSwap', 'https://icons.llamao.fi/icons/protocols/sushiswap', 'https://www.sushi.com', null, 19),
  ('pancakeswap', 'PancakeSwap', 'https://icons.llamao.fi/icons/protocols/pancakeswap-amm', 'https://pancakeswap.finance/liquidity/positions', null, 20),
  ('quickswap', 'QuickSwap', 'https://icons.llamao.fi/icons/protocols/quickswap-dex', 'https://dapp.quickswap.exchange', null, 21),
  ('trader-joe', 'Trader Joe', 'https://icons.llamao.fi/icons/protocols/joe-dex', 'https://lfj.gg', null, 22),
  ('pancakeswap-v3', 'PancakeSwap V3', 'https://icons.llamao.fi/icons/protocols/pancakeswap-amm-v3', 'https://pancakeswap.finance/liquidity/positions', null, 23),
  ('sushiswap-v3', 'SushiSwap V3', 'https://icons.llamao.fi/icons/protocols/sushiswap-v3', 'https://www.sushi.com', null, 24);

insert into defi_deployments (protocol_id, network_id)
select protocol_id, network_id from (values
  ('uniswap-v3', array['unichain-wallet', 'worldchain-wallet', 'soneium-wallet', 'ink-wallet', 'blast-wallet', 'zora-wallet', 'celo-wallet', 'linea-wallet', 'megaeth-wallet', 'xlayer-wallet']),
  ('morpho-vaults', array['ethereum', 'base-wallet', 'arbitrum-wallet', 'optimism-wallet', 'polygon-wallet', 'monad-wallet', 'hyperevm-wallet', 'unichain-wallet', 'worldchain-wallet', 'katana-wallet', 'sei-wallet', 'celo-wallet', 'megaeth-wallet']),
  ('euler-v2', array['ethereum', 'binancesmartchain', 'base-wallet', 'arbitrum-wallet', 'avalanche-wallet', 'hyperevm-wallet', 'monad-wallet', 'plasma-wallet', 'sonic-wallet', 'unichain-wallet', 'bob-wallet', 'berachain-wallet', 'linea-wallet', 'mantle-wallet']),
  ('fluid-lending', array['ethereum', 'base-wallet', 'arbitrum-wallet']),
  ('yearn-v3', array['ethereum']),
  ('sky', array['ethereum']),
  ('spark-savings', array['ethereum', 'base-wallet', 'arbitrum-wallet', 'optimism-wallet', 'avalanche-wallet', 'unichain-wallet', 'xlayer-wallet']),
  ('ethena', array['ethereum']),
  ('maple', array['ethereum']),
  ('frax', array['ethereum']),
  ('curve-savings', array['ethereum']),
  ('inverse', array['ethereum']),
  ('falcon', array['ethereum']),
  ('uniswap-v2', array['ethereum', 'binancesmartchain', 'base-wallet', 'polygon-wallet', 'arbitrum-wallet', 'optimism-wallet', 'avalanche-wallet', 'monad-wallet', 'unichain-wallet', 'worldchain-wallet', 'soneium-wallet', 'ink-wallet', 'blast-wallet', 'celo-wallet', 'linea-wallet', 'megaeth-wallet', 'xlayer-wallet']),
  ('sushiswap', array['ethereum', 'binancesmartchain', 'base-wallet', 'polygon-wallet', 'arbitrum-wallet', 'optimism-wallet', 'avalanche-wallet', 'gnosis-wallet', 'fantom-wallet', 'linea-wallet', 'katana-wallet']),
  ('pancakeswap', array['ethereum', 'binancesmartchain', 'base-wallet', 'arbitrum-wallet', 'linea-wallet', 'opbnb-wallet']),
  ('quickswap', array['polygon-wallet']),
  ('trader-joe', array['avalanche-wallet']),
  ('pancakeswap-v3', array['ethereum', 'binancesmartchain', 'base-wallet', 'arbitrum-wallet', 'linea-wallet', 'opbnb-wallet']),
  ('sushiswap-v3', array['ethereum', 'base-wallet', 'polygon-wallet', 'arbitrum-wallet'])
) as known (protocol_id, network_ids) cross join unnest(network_ids) as network_id;

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs
where synced_at is not null and network_id = any(array['unichain-wallet', 'worldchain-wallet', 'soneium-wallet', 'ink-wallet', 'blast-wallet', 'zora-wallet', 'celo-wallet', 'linea-wallet', 'megaeth-wallet', 'xlayer-wallet', 'ethereum', 'base-wallet', 'arbitrum-wallet', 'optimism-wallet', 'polygon-wallet', 'monad-wallet', 'hyperevm-wallet', 'katana-wallet', 'sei-wallet', 'binancesmartchain', 'avalanche-wallet', 'plasma-wallet', 'sonic-wallet', 'bob-wallet', 'berachain-wallet', 'mantle-wallet', 'gnosis-wallet', 'fantom-wallet', 'opbnb-wallet'])
order by 1, 2 on conflict do nothing;
