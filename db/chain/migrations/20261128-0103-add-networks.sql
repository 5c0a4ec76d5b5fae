-- Networks beyond those of `all`. Each is read only where the operator turns it on and a client names it.
alter table networks
  add column in_all boolean not null default false,
  -- The contract that shows the native coin as a token: its Transfer events move native coins.
  add column native_token text;
update networks set in_all = true;
update networks set native_token = '0x0000000000000000000000000000000000001010' where id = 'polygon-wallet';
insert into networks
  (id, blockchain, name, icon, chain_id, coin_id, symbol, decimals, explorer_url, reorg_depth, position, wrapped_address, native_token, kind, entry_points)
select added.*, 'evm', ethereum.entry_points
from networks as ethereum, (values
  ('unichain-wallet', 'unichain', 'Unichain', 'https://icons.llamao.fi/icons/chains/rsz_unichain.jpg', 130, 'ethereum', 'ETH', 18, 'https://uniscan.xyz', 30, 13, '0x4200000000000000000000000000000000000006', null),
  ('worldchain-wallet', 'world-chain', 'World Chain', 'https://icons.llamao.fi/icons/chains/rsz_wc.jpg', 480, 'ethereum', 'ETH', 18, 'https://worldscan.org', 30, 14, '0x4200000000000000000000000000000000000006', null),
  ('ink-wallet', 'ink', 'Ink', 'https://icons.llamao.fi/icons/chains/rsz_ink.jpg', 57073, 'ethereum', 'ETH', 18, 'https://explorer.inkonchain.com', 30, 15, '0x4200000000000000000000000000000000000006', null),
  ('soneium-wallet', 'soneium', 'Soneium', 'https://icons.llamao.fi/icons/chains/rsz_soneium.jpg', 1868, 'ethereum', 'ETH', 18, 'https://soneium.blockscout.com', 30, 16, '0x4200000000000000000000000000000000000006', null),
  ('mode-wallet', 'mode', 'Mode', 'https://icons.llamao.fi/icons/chains/rsz_mode.jpg', 34443, 'ethereum', 'ETH', 18, 'https://modescan.io', 30, 17, '0x4200000000000000000000000000000000000006', null),
  ('zora-wallet', 'zora-network', 'Zora', 'https://icons.llamao.fi/icons/chains/rsz_zora.jpg', 7777777, 'ethereum', 'ETH', 18, 'https://explorer.zora.energy', 30, 18, '0x4200000000000000000000000000000000000006', null),
  ('lisk-wallet', 'lisk', 'Lisk', 'https://icons.llamao.fi/icons/chains/rsz_lisk.jpg', 1135, 'ethereum', 'ETH', 18, 'https://blockscout.lisk.com', 30, 19, '0x4200000000000000000000000000000000000006', null),
  ('bob-wallet', 'bob-network', 'BOB', 'https://icons.llamao.fi/icons/chains/rsz_bob.jpg', 60808, 'ethereum', 'ETH', 18, 'https://explorer.gobob.xyz', 30, 20, '0x4200000000000000000000000000000000000006', null),
  ('superseed-wallet', 'superseed', 'Superseed', 'https://icons.llamao.fi/icons/chains/rsz_superseed.jpg', 5330, 'ethereum', 'ETH', 18, 'https://explorer.superseed.xyz', 30, 21, '0x4200000000000000000000000000000000000006', null),
  ('blast-wallet', 'blast', 'Blast', 'https://icons.llamao.fi/icons/chains/rsz_blast.jpg', 81457, 'ethereum', 'ETH', 18, 'https://blastscan.io', 30, 22, '0x4300000000000000000000000000000000000004', null),
  ('manta-wallet', 'manta-pacific', 'Manta Pacific', 'https://icons.llamao.fi/icons/chains/rsz_manta.jpg', 169, 'ethereum', 'ETH', 18, 'https://pacific-explorer.manta.network', 30, 23, '0x0dc808adce2099a9f62aa87d9670745aba741746', null),
  ('katana-wallet', 'katana', 'Katana', 'https://icons.llamao.fi/icons/chains/rsz_katana.jpg', 747474, 'ethereum', 'ETH', 18, 'https://katanascan.com', 30, 24, '0xee7d8bcfb72bc1880d0cf19822eb0a2e6577ab62', null),
  ('opbnb-wallet', 'opbnb', 'opBNB', 'https://icons.llamao.fi/icons/chains/rsz_op_bnb.jpg', 204, 'binancecoin', 'BNB', 18, 'https://opbnb.bscscan.com', 30, 25, '0x4200000000000000000000000000000000000006', null),
  ('celo-wallet', 'celo', 'Celo', 'https://icons.llamao.fi/icons/chains/rsz_celo.jpg', 42220, 'celo', 'CELO', 18, 'https://celoscan.io', 30, 26, null, '0x471ece3750da237f93b8e339c536989b8978a438'),
  ('mantle-wallet', 'mantle', 'Mantle', 'https://icons.llamao.fi/icons/chains/rsz_mantle.jpg', 5000, 'mantle', 'MNT', 18, 'https://mantlescan.xyz', 30, 27, '0x78c1b0c915c4faa5fffa6cabf0219da63d7f4cb8', '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000'),
  ('arbitrum-nova-wallet', 'arbitrum-nova', 'Arbitrum Nova', 'https://icons.llamao.fi/icons/chains/rsz_arbitrum%20nova.jpg', 42170, 'ethereum', 'ETH', 18, 'https://nova.arbiscan.io', 240, 28, '0x722e8bdd2ce80a4422e880164f2079488e115365', null),
  ('apechain-wallet', 'apechain', 'ApeChain', 'https://icons.llamao.fi/icons/chains/rsz_apechain.jpg', 33139, 'apecoin', 'APE', 18, 'https://apescan.io', 240, 29, '0x48b62137edfa95a428d35c09e44256a739f6b557', null),
  ('linea-wallet', 'linea', 'Linea', 'https://icons.llamao.fi/icons/chains/rsz_linea.jpg', 59144, 'ethereum', 'ETH', 18, 'https://lineascan.build', 30, 30, '0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f', null),
  ('scroll-wallet', 'scroll', 'Scroll', 'https://icons.llamao.fi/icons/chains/rsz_scroll.jpg', 534352, 'ethereum', 'ETH', 18, 'https://scrollscan.com', 30, 31, '0x5300000000000000000000000000000000000004', null),
  ('zksync-wallet', 'zksync', 'ZKsync Era', 'https://icons.llamao.fi/icons/chains/rsz_zksync%20era.jpg', 324, 'ethereum', 'ETH', 18, 'https://explorer.zksync.io', 30, 32, '0x5aea5775959fbc2557cc8789bc1bf90a239d9a91', '0x000000000000000000000000000000000000800a'),
  ('abstract-wallet', 'abstract', 'Abstract', 'https://icons.llamao.fi/icons/chains/rsz_abstract.jpg', 2741, 'ethereum', 'ETH', 18, 'https://abscan.org', 30, 33, '0x3439153eb7af838ad19d56e1571fbd09333c2809', '0x000000000000000000000000000000000000800a'),
  ('polygon-zkevm-wallet', 'polygon-zkevm', 'Polygon zkEVM', 'https://icons.llamao.fi/icons/chains/rsz_polygon%20zkevm.jpg', 1101, 'ethereum', 'ETH', 18, 'https://zkevm.polygonscan.com', 30, 34, '0x4f9a0e7fd2bf6067db6994cf12e4495df938e6e9', null),
  ('taiko-wallet', 'taiko', 'Taiko', 'https://icons.llamao.fi/icons/chains/rsz_taiko.jpg', 167000, 'ethereum', 'ETH', 18, 'https://taikoscan.io', 200, 35, '0xa51894664a773981c6c112c43ce576f315d5b1b6', null),
  ('metis-wallet', 'metis-andromeda', 'Metis', 'https://icons.llamao.fi/icons/chains/rsz_metis.jpg', 1088, 'metis-token', 'METIS', 18, 'https://explorer.metis.io', 30, 36, '0x75cb093e4d61d2a2e65d8e0bbb01de8d89b53481', '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000'),
  ('megaeth-wallet', 'megaeth', 'MegaETH', 'https://icons.llamao.fi/icons/chains/rsz_megaeth.jpg', 4326, 'ethereum', 'ETH', 18, 'https://mega.etherscan.io', 30, 37, '0x4200000000000000000000000000000000000006', null),
  ('xlayer-wallet', 'x-layer', 'X Layer', 'https://icons.llamao.fi/icons/chains/rsz_x%20layer.jpg', 196, 'okb', 'OKB', 18, 'https://www.oklink.com/xlayer', 30, 38, '0xe538905cf8410324e03a5a23c1c177a474d59b2b', null),
  ('etherlink-wallet', 'etherlink', 'Etherlink', 'https://icons.llamao.fi/icons/chains/rsz_etherlink.jpg', 42793, 'tezos', 'XTZ', 18, 'https://explorer.etherlink.com', 30, 39, '0xc9b53ab2679f573e480d01e0f49e2b5cfb7a3eab', null),
  ('gnosis-wallet', 'xdai', 'Gnosis', 'https://icons.llamao.fi/icons/chains/rsz_xdai.jpg', 100, 'xdai', 'XDAI', 18, 'https://gnosisscan.io', 40, 40, '0xe91d153e0b41518a2ce8dd3d7944fa863463a97d', null),
  ('sonic-wallet', 'sonic', 'Sonic', 'https://icons.llamao.fi/icons/chains/rsz_sonic.jpg', 146, 'sonic-3', 'S', 18, 'https://sonicscan.org', 30, 41, '0x039e2fb66102314ce7b64ce5ce3e5183bc94ad38', null),
  ('fantom-wallet', 'fantom', 'Fantom', 'https://icons.llamao.fi/icons/chains/rsz_fantom.jpg', 250, 'fantom', 'FTM', 18, 'https://ftmscan.com', 30, 42, '0x21be370d5312f44cb42ce377bc9b8a0cef1a4c83', null),
  ('berachain-wallet', 'berachain', 'Berachain', 'https://icons.llamao.fi/icons/chains/rsz_berachain.jpg', 80094, 'berachain-bera', 'BERA', 18, 'https://berascan.com', 30, 43, '0x6969696969696969696969696969696969696969', null),
  ('sei-wallet', 'sei-v2', 'Sei EVM', 'https://icons.llamao.fi/icons/chains/rsz_sei.jpg', 1329, 'sei-network', 'SEI', 18, 'https://seiscan.io', 30, 44, '0xe30fedd158a2e3b13e9badaeabafc5516e95e8c7', null),
  ('cronos-wallet', 'cronos', 'Cronos', 'https://icons.llamao.fi/icons/chains/rsz_cronos.jpg', 25, 'crypto-com-chain', 'CRO', 18, 'https://explorer.cronos.org', 30, 45, '0x5c7f8a570d578ed84e63fdfa7b1ee72deae1ae23', null),
  ('moonbeam-wallet', 'moonbeam', 'Moonbeam', 'https://icons.llamao.fi/icons/chains/rsz_moonbeam.jpg', 1284, 'moonbeam', 'GLMR', 18, 'https://moonscan.io', 30, 46, '0xacc15dc74880c9944775448304b263d191c6077f', '0x0000000000000000000000000000000000000802'),
  ('moonriver-wallet', 'moonriver', 'Moonriver', 'https://icons.llamao.fi/icons/chains/rsz_moonriver.jpg', 1285, 'moonriver', 'MOVR', 18, 'https://moonriver.moonscan.io', 30, 47, '0x98878b06940ae243284ca214f92bb71a2b032b8a', '0x0000000000000000000000000000000000000802'),
  ('ronin-wallet', 'ronin', 'Ronin', 'https://icons.llamao.fi/icons/chains/rsz_ronin.jpg', 2020, 'ronin', 'RON', 18, 'https://app.roninchain.com', 30, 48, '0xe514d9deb7966c8be0ca922de8a064264ea6bcd4', null),
  ('core-wallet', 'core', 'Core', 'https://icons.llamao.fi/icons/chains/rsz_core.jpg', 1116, 'coredaoorg', 'CORE', 18, 'https://scan.coredao.org', 30, 49, '0x40375c92d9faf44d2f9db9bd9ba41a3317a2404f', null),
  ('flare-wallet', 'flare-network', 'Flare', 'https://icons.llamao.fi/icons/chains/rsz_flare.jpg', 14, 'flare-networks', 'FLR', 18, 'https://flare-explorer.flare.network', 30, 50, '0x1d80c49bbbcd1c0911346656b529df9e5c2f783d', null),
  ('rootstock-wallet', 'rootstock', 'Rootstock', 'https://icons.llamao.fi/icons/chains/rsz_rsk.jpg', 30, 'rootstock', 'RBTC', 18, 'https://explorer.rsk.co', 100, 51, '0x542fda317318ebf1d3deaf76e0b632741a7e677d', null),
  ('aurora-wallet', 'aurora', 'Aurora', 'https://icons.llamao.fi/icons/chains/rsz_aurora.jpg', 1313161554, 'ethereum', 'ETH', 18, 'https://aurorascan.dev', 30, 52, '0xc9bdeed33cd01541e1eed10f90519d2c06fe3feb', null)
) as added (id, blockchain, name, icon, chain_id, coin_id, symbol, decimals, explorer_url, reorg_depth, position, wrapped_address, native_token)
where ethereum.id = 'ethereum';
insert into past.coins_held
  select distinct coin_id from networks where coin_id not in (select coin_id from past.coins_held);
