import { type Hex, parseAbi, zeroAddress } from 'viem'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import type { HeldToken } from '../held-tokens.ts'
import {
  OPEN,
  type Position,
  type PositionAsset,
  type Protocol,
  defineProtocol,
  nonZero,
} from '../position.ts'
import { readParts } from '../read-parts.ts'
import { shareOfPool } from './share-of-pool.ts'

const REGISTRY_ABI = parseAbi([
  'function get_pool_from_lp_token(address token) view returns (address)',
  'function get_coins(address pool) view returns (address[8])',
  'function get_balances(address pool) view returns (uint256[8])',
  'function get_pool_name(address pool) view returns (string)',
])
const TOKEN_ABI = parseAbi(['function totalSupply() view returns (uint256)'])
const UNNAMED = 'Liquidity'
/** Stands for the native coin. */
const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** Pools whose liquidity tokens the account holds: its share of their coins. `registries`: Curve's MetaRegistry. */
export function curve(spec: { id: string; name: string; registries: ByNetwork<string> }): Protocol {
  const { registries: deployments, ...names } = spec
  return defineProtocol({
    ...names,
    family: 'Curve',
    deployments,
    async read({ reader, deployment: registry, held }) {
      const all = await held()
      const pools = await reader.tryRead(
        all.map(({ token }) => contractAt(REGISTRY_ABI, registry)('get_pool_from_lp_token', [token])),
      )
      const shares = all.flatMap(({ token, raw }, i) => {
        const pool = pools[i]
        return pool && pool !== zeroAddress ? { id: token, token, raw, pool } : []
      })
      return await readParts(shares, (share) => readPool({ reader, registry, share }))
    },
  })
}

async function readPool(input: {
  reader: BlockReader
  registry: string
  share: HeldToken & { pool: Hex }
}): Promise<Position | null> {
  const { reader, registry, share } = input
  const { token: id, raw, pool } = share
  const { name, assetsOf } = await poolOf({ reader, registry, token: id, pool })
  const assets = assetsOf(raw)
  if (assets.length === 0) return null
  return { id, name, poolAddress: pool.toLowerCase(), ...OPEN, assets }
}

interface CurvePool {
  name: string
  /** what an amount of its liquidity tokens stands for */
  assetsOf: (raw: bigint) => PositionAsset[]
}

/** The pool of a liquidity token. One that the registry does not know stands for itself. */
export async function curvePool(input: {
  reader: BlockReader
  registry: string
  token: Hex
}): Promise<CurvePool> {
  const { reader, registry, token } = input
  const [pool] = await reader.tryRead([contractAt(REGISTRY_ABI, registry)('get_pool_from_lp_token', [token])])
  if (pool && pool !== zeroAddress) return await poolOf({ ...input, pool })
  const itself = token.toLowerCase()
  return { name: UNNAMED, assetsOf: (raw) => nonZero([{ role: 'supplied', token: itself, raw }]) }
}

async function poolOf(input: {
  reader: BlockReader
  registry: string
  token: Hex
  pool: Hex
}): Promise<CurvePool> {
  const { reader, token, pool } = input
  const registry = contractAt(REGISTRY_ABI, input.registry)
  const [coins, balances, name, supply] = await reader.read([
    registry('get_coins', [pool]),
    registry('get_balances', [pool]),
    registry('get_pool_name', [pool]),
    contractAt(TOKEN_ABI, token)('totalSupply', []),
  ])
  const tokens = coins
    .filter((coin) => coin !== zeroAddress)
    .map((coin) => (coin.toLowerCase() === NATIVE ? null : coin.toLowerCase()))
  return { name: name || UNNAMED, assetsOf: (raw) => shareOfPool({ tokens, balances, raw, supply }) }
}
