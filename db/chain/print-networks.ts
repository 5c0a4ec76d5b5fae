import { printRows } from '../print-rows.ts'
import { NETWORKS } from '../values/networks.ts'

/** Contracts through which smart accounts act (ERC-4337), the same on each EVM network: versions 0.6 to 0.9. */
const ENTRY_POINTS = [
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
  '0x433709009b8330fda32311df1c2afa402ed8d009',
]

/** The table `networks`: the facts of each network that SQL needs. Prices of their native coins are kept. */
export function printNetworks(): string {
  const rows = printRows({
    table: 'networks',
    key: ['id'],
    rows: NETWORKS.map((network, i) => ({
      id: network.id,
      blockchain: network.blockchain,
      kind: network.kind,
      name: network.name,
      icon: network.icon,
      chain_id: network.chainId,
      coin_id: network.coin.id,
      symbol: network.coin.symbol,
      decimals: network.coin.decimals,
      wrapped_address: network.wrapped,
      native_token: network.nativeToken,
      entry_points: network.kind === 'evm' ? ENTRY_POINTS : [],
      explorer_url: network.explorerUrl,
      reorg_depth: network.reorgDepth,
      block_ms: network.blockMs,
      head_tag: network.headTag,
      unproven: network.unproven,
      in_all: network.inAll,
      position: i + 1,
    })),
  })
  return `-- From db/values/networks/: "sluice openapi" writes this file.
${rows};

insert into past.coins_held
select distinct coin_id from networks where coin_id not in (select coin_id from past.coins_held);
`
}
