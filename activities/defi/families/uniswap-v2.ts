import { parseAbi, zeroAddress } from 'viem'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import type { HeldToken } from '../held-tokens.ts'
import { OPEN, type Position, type Protocol, defineProtocol, nonZero } from '../position.ts'
import { readParts } from '../read-parts.ts'

/** The protocol's share of the growth of a pool since its last change: `growth * part / (growth * whole + ...)`. */
export interface FeeShare {
  /** numerator of `_mintFee` */
  part: bigint
  /** factor of the new root in its denominator; that of the old root is `part` */
  whole: bigint
}

/** A sixth of the fees, as in Uniswap's own pairs. */
const SIXTH: FeeShare = { part: 1n, whole: 5n }
/** That of PancakeSwap. */
export const EIGHT_OF_25: FeeShare = { part: 8n, whole: 17n }

const PAIR_ABI = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function totalSupply() view returns (uint256)',
  'function kLast() view returns (uint256)',
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 at)',
])
const FACTORY_ABI = parseAbi([
  'function getPair(address token0, address token1) view returns (address)',
  'function feeTo() view returns (address)',
])
const TOKEN_ABI = parseAbi(['function balanceOf(address owner) view returns (uint256)'])

/** Pairs whose liquidity tokens the account holds: what burning the tokens pays. Tokens that are staked are not held. */
export function uniswapV2(spec: {
  id: string
  name: string
  factories: ByNetwork<string>
  feeShare?: FeeShare
}): Protocol {
  const { id, name, factories, feeShare = SIXTH } = spec
  return defineProtocol({
    id,
    name,
    family: 'Uniswap v2',
    deployments: factories,
    async read({ reader, deployment: factory, held }) {
      const pairs = await pairsAmong(reader, factory, await held())
      return await readParts(pairs, (pair) => readPair({ reader, factory, pair, feeShare }))
    },
  })
}

interface Pair {
  id: `0x${string}`
  raw: bigint
  token0: `0x${string}`
  token1: `0x${string}`
}

/** A contract that names two tokens is a pair of the factory only if the factory names it for these tokens. */
async function pairsAmong(reader: BlockReader, factory: string, held: readonly HeldToken[]): Promise<Pair[]> {
  const tokens = await reader.tryRead(
    held.flatMap(({ token }) => {
      const pair = contractAt(PAIR_ABI, token)
      return [pair('token0', []), pair('token1', [])]
    }),
  )
  const named = held.flatMap(({ token: id, raw }, i) => {
    const [token0, token1] = [tokens[2 * i], tokens[2 * i + 1]]
    return token0 && token1 ? { id, raw, token0, token1 } : []
  })
  const pairs = await reader.read(
    named.map(({ token0, token1 }) => contractAt(FACTORY_ABI, factory)('getPair', [token0, token1])),
  )
  return named.filter(({ id }, i) => pairs[i]!.toLowerCase() === id)
}

async function readPair(input: {
  reader: BlockReader
  factory: string
  pair: Pair
  feeShare: FeeShare
}): Promise<Position | null> {
  const { reader, factory, feeShare } = input
  const { id, raw, token0, token1 } = input.pair
  const pair = contractAt(PAIR_ABI, id)
  const [supply, kLast, [reserve0, reserve1], feeTo, held0, held1] = await reader.read([
    pair('totalSupply', []),
    pair('kLast', []),
    pair('getReserves', []),
    contractAt(FACTORY_ABI, factory)('feeTo', []),
    contractAt(TOKEN_ABI, token0)('balanceOf', [id]),
    contractAt(TOKEN_ABI, token1)('balanceOf', [id]),
  ])
  const fee =
    feeTo === zeroAddress ? 0n : mintedFee({ supply, kLast, product: reserve0 * reserve1, feeShare })
  const share = (amount: bigint): bigint => (amount * raw) / (supply + fee)
  const assets = nonZero([
    { role: 'supplied', token: token0.toLowerCase(), raw: share(held0) },
    { role: 'supplied', token: token1.toLowerCase(), raw: share(held1) },
  ])
  return assets.length === 0 ? null : { id, name: 'Liquidity', poolAddress: id, ...OPEN, assets }
}

/** Liquidity tokens that a burn mints for the protocol before it pays (`_mintFee`). */
function mintedFee(pool: { supply: bigint; kLast: bigint; product: bigint; feeShare: FeeShare }): bigint {
  const { supply, kLast, product, feeShare } = pool
  if (kLast === 0n) return 0n
  const [root, last] = [squareRoot(product), squareRoot(kLast)]
  if (root <= last) return 0n
  const { part, whole } = feeShare
  return (supply * (root - last) * part) / (root * whole + last * part)
}

/** Rounded down. */
function squareRoot(of: bigint): bigint {
  if (of < 2n) return of
  let root = 1n << BigInt((of.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + of / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
