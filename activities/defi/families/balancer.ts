import { type Hex, parseAbi } from 'viem'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import type { HeldToken } from '../held-tokens.ts'
import { OPEN, type Position, type Protocol, defineProtocol } from '../position.ts'
import { readParts } from '../read-parts.ts'
import { shareOfPool } from './share-of-pool.ts'

const POOL_ABI = parseAbi([
  'function getPoolId() view returns (bytes32)',
  'function totalSupply() view returns (uint256)',
  'function getActualSupply() view returns (uint256)',
])
const VAULT_V2_ABI = parseAbi([
  'function getPool(bytes32 poolId) view returns (address pool, uint8 specialization)',
  'function getPoolTokens(bytes32 poolId) view returns (address[] tokens, uint256[] balances, uint256 lastChangeBlock)',
])
const VAULT_V3_ABI = parseAbi([
  'struct TokenInfo { uint8 tokenType; address rateProvider; bool paysYieldFees; }',
  'function isPoolRegistered(address pool) view returns (bool)',
  'function getPoolTokenInfo(address pool) view returns (address[] tokens, TokenInfo[] tokenInfo, uint256[] balancesRaw, uint256[] lastBalancesLiveScaled18)',
])

const ONE = 10n ** 18n

interface Spec {
  id: string
  name: string
  /** the Vault, which knows the pools and holds their tokens */
  vaults: ByNetwork<string>
}

/** Pools whose liquidity tokens the account holds: its share of their tokens. */
export function balancerV2({ vaults: deployments, ...names }: Spec): Protocol {
  return defineProtocol({
    ...names,
    family: 'Balancer v2',
    deployments,
    async read({ reader, deployment: vault, held }) {
      const all = await held()
      const ids = await reader.tryRead(all.map(({ token }) => contractAt(POOL_ABI, token)('getPoolId', [])))
      const named = all.flatMap(({ token, raw }, i) => {
        const poolId = ids[i]
        return poolId ? { id: token, token, raw, poolId } : []
      })
      const known = await reader.tryRead(
        named.map(({ poolId }) => contractAt(VAULT_V2_ABI, vault)('getPool', [poolId])),
      )
      const pools = named.filter(({ token }, i) => known[i]?.[0].toLowerCase() === token)
      return await readParts(pools, (pool) => readPoolV2({ reader, vault, pool }))
    },
  })
}

async function readPoolV2(input: {
  reader: BlockReader
  vault: string
  pool: HeldToken & { poolId: Hex }
}): Promise<Position | null> {
  const { reader, vault } = input
  const { token: id, raw, poolId } = input.pool
  const pool = contractAt(POOL_ABI, id)
  const [[[tokens, balances], totalSupply], [actualSupply]] = await Promise.all([
    reader.read([contractAt(VAULT_V2_ABI, vault)('getPoolTokens', [poolId]), pool('totalSupply', [])]),
    // Pools that hold tokens of their own, which do not count, say so.
    reader.tryRead([pool('getActualSupply', [])]),
  ])
  const others = tokens.map((token) => token.toLowerCase())
  const counted = others.map((token, i) => (token === id ? 0n : balances[i]!))
  const supply = actualSupply ?? totalSupply
  // The pool rounds the share that it pays out to 18 places.
  const share = supply === 0n ? 0n : (raw * ONE) / supply
  return position({ id, tokens: others, balances: counted, raw: share, supply: ONE })
}

/** Pools whose liquidity tokens the account holds: its share of their tokens. */
export function balancerV3({ vaults: deployments, ...names }: Spec): Protocol {
  return defineProtocol({
    ...names,
    family: 'Balancer v3',
    deployments,
    async read({ reader, deployment, held }) {
      const vault = contractAt(VAULT_V3_ABI, deployment)
      const all = await held()
      const known = await reader.read(all.map(({ token }) => vault('isPoolRegistered', [token])))
      const pools = all.filter((_, i) => known[i]).map((pool) => ({ id: pool.token, raw: pool.raw }))
      return await readParts(pools, async ({ id, raw }) => {
        const [[tokens, , balances], supply] = await reader.read([
          vault('getPoolTokenInfo', [id]),
          contractAt(POOL_ABI, id)('totalSupply', []),
        ])
        return position({ id, tokens: tokens.map((token) => token.toLowerCase()), balances, raw, supply })
      })
    },
  })
}

function position(pool: {
  id: string
  tokens: readonly string[]
  balances: readonly bigint[]
  raw: bigint
  supply: bigint
}): Position | null {
  const assets = shareOfPool(pool)
  return assets.length === 0
    ? null
    : { id: pool.id, name: 'Liquidity', poolAddress: pool.id, ...OPEN, assets }
}
