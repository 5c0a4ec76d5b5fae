import { type Hex, parseAbi } from 'viem'
import { divide, formatDecimal, fromRaw } from '../../../db/values/decimal.ts'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import { type Position, type PositionAsset, type Protocol, defineProtocol, nonZero } from '../position.ts'

const COMPTROLLER_ABI = parseAbi([
  'function getAllMarkets() view returns (address[])',
  'function oracle() view returns (address)',
  'function getAccountLiquidity(address account) view returns (uint256 failure, uint256 liquidity, uint256 shortfall)',
])
const MARKET_ABI = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function borrowBalanceStored(address account) view returns (uint256)',
  // These two add the interest up to the block before they answer.
  'function balanceOfUnderlying(address owner) returns (uint256)',
  'function borrowBalanceCurrent(address account) returns (uint256)',
  'function underlying() view returns (address)',
])
const ORACLE_ABI = parseAbi(['function getUnderlyingPrice(address market) view returns (uint256)'])

interface Used {
  market: Hex
  stored: bigint
}

/**
 * Supplies and debts with interest up to the block. One position per Comptroller, which has one health for all its
 * markets.
 */
export function compoundV2(spec: { id: string; name: string; comptrollers: ByNetwork<string> }): Protocol {
  const { comptrollers: deployments, ...names } = spec
  return defineProtocol({
    ...names,
    family: 'Compound v2',
    deployments,
    async read({ reader, deployment: comptroller, account }) {
      const position = await readPosition({ reader, comptroller, account: account as Hex })
      return { positions: position ? [position] : [], unknown: [] }
    },
  })
}

async function readPosition(input: {
  reader: BlockReader
  comptroller: string
  account: Hex
}): Promise<Position | null> {
  const { reader, comptroller, account } = input
  const [markets] = await reader.read([contractAt(COMPTROLLER_ABI, comptroller)('getAllMarkets', [])])
  const held = await reader.read(markets.map((at) => contractAt(MARKET_ABI, at)('balanceOf', [account])))
  const debts = await reader.read(
    markets.map((at) => contractAt(MARKET_ABI, at)('borrowBalanceStored', [account])),
  )
  const used = markets.flatMap((market, i): Used[] =>
    held[i]! + debts[i]! > 0n ? [{ market, stored: debts[i]! }] : [],
  )
  const assets = (await Promise.all(used.map(({ market }) => readAssets(reader, { market, account })))).flat()
  if (assets.length === 0) return null
  return {
    id: comptroller,
    name: 'Lending',
    poolAddress: comptroller,
    healthRate: await readHealth(input, used),
    unlockAt: null,
    endAt: null,
    assets,
  }
}

async function readAssets(
  reader: BlockReader,
  { market: at, account }: { market: Hex; account: Hex },
): Promise<PositionAsset[]> {
  const market = contractAt(MARKET_ABI, at)
  const [[supplied, borrowed], [underlying]] = await Promise.all([
    reader.read([market('balanceOfUnderlying', [account]), market('borrowBalanceCurrent', [account])]),
    // The market of the native coin has none.
    reader.tryRead([market('underlying', [])]),
  ])
  const token = underlying?.toLowerCase() ?? null
  return nonZero([
    { role: 'supplied', token, raw: supplied },
    { role: 'borrowed', token, raw: borrowed },
  ])
}

/**
 * Collateral that counts, divided by the debts, at the prices of the protocol's oracle. The Comptroller states only the
 * difference of the two. null: no debt, or it does not answer.
 */
async function readHealth(
  { reader, comptroller, account }: { reader: BlockReader; comptroller: string; account: Hex },
  used: readonly Used[],
): Promise<string | null> {
  const owed = used.filter(({ stored }) => stored > 0n)
  if (owed.length === 0) return null
  const place = contractAt(COMPTROLLER_ABI, comptroller)
  const [liquidity, oracle] = await reader.tryRead([
    place('getAccountLiquidity', [account]),
    place('oracle', []),
  ])
  if (!liquidity || liquidity[0] !== 0n || !oracle) return null
  const prices = await reader.tryRead(
    owed.map(({ market }) => contractAt(ORACLE_ABI, oracle)('getUnderlyingPrice', [market])),
  )
  if (prices.includes(null)) return null
  // Prices have 36 decimals less those of the token, so products have 36.
  const debt = owed.reduce((sum, { stored }, i) => sum + (stored * prices[i]!) / 10n ** 18n, 0n)
  const [, spare, shortfall] = liquidity
  return debt === 0n
    ? null
    : formatDecimal(divide(fromRaw(debt + spare - shortfall, 18), fromRaw(debt, 18), 18))
}
