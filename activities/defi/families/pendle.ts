import { type Hex, parseAbi, zeroAddress } from 'viem'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import type { HeldToken } from '../held-tokens.ts'
import { OPEN, type Position, type Protocol, defineProtocol, nonZero, unclaimed } from '../position.ts'
import { readParts } from '../read-parts.ts'

export interface PendleFactories {
  /** each made principal and yield tokens */
  yields: readonly string[]
  /** each made markets, whose liquidity tokens are the markets themselves */
  markets: readonly string[]
}

const MADE_ABI = parseAbi([
  'function factory() view returns (address)',
  'function isPT(address token) view returns (bool)',
  'function isYT(address token) view returns (bool)',
  'function isValidMarket(address market) view returns (bool)',
])
const TOKEN_ABI = parseAbi([
  'function name() view returns (string)',
  'function expiry() view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
])
const PRINCIPAL_ABI = parseAbi([
  'function SY() view returns (address)',
  'function YT() view returns (address)',
])
const YIELD_ABI = parseAbi([
  'function SY() view returns (address)',
  'function pyIndexCurrent() returns (uint256)',
  'function getRewardTokens() view returns (address[])',
  'function redeemDueInterestAndRewards(address user, bool interest, bool rewards) returns (uint256 interestOut, uint256[] rewardsOut)',
])
const MARKET_ABI = parseAbi([
  'function readTokens() view returns (address sy, address pt, address yt)',
  'function readState(address router) view returns ((int256 totalPt, int256 totalSy, int256 totalLp, address treasury, int256 scalarRoot, uint256 expiry, uint256 lnFeeRateRoot, uint256 reserveFeePercent, uint256 lastLnImpliedRate))',
  'function getRewardTokens() view returns (address[])',
  'function redeemRewards(address user) returns (uint256[])',
])
const STANDARDISED_ABI = parseAbi([
  'function yieldToken() view returns (address)',
  'function previewRedeem(address token, uint256 shares) view returns (uint256)',
])
const ONE = 10n ** 18n

type Kind = 'principal' | 'yield' | 'market'
interface Made extends HeldToken {
  id: string
  kind: Kind
}

/**
 * Pendle's tokens that the account holds, in the token that earns the yield (such as sUSDe). Principal is what one gets
 * for it at its expiry, at the face value that the protocol states today, and locked until then: a market may pay less
 * before. A yield token counts by what it has earned and not paid yet, not by what it will earn. Liquidity is its share
 * of the market.
 *
 * Anybody can open a market for a contract of their own, so an amount is at most what that contract holds of the
 * yielding token. One that keeps its tokens elsewhere, such as staked liquidity of Curve, or does not pay them out, is
 * left out.
 */
export function pendle(spec: {
  id: string
  name: string
  deployments: ByNetwork<PendleFactories>
}): Protocol {
  return defineProtocol({
    ...spec,
    family: 'Pendle',
    async read({ reader, deployment, account, held }) {
      const made = await madeAmong(reader, deployment, await held())
      const user = account as Hex
      return await readParts(made, async (one) => {
        if (one.kind === 'market') return await readMarket(reader, { ...one, user })
        return one.kind === 'principal'
          ? await readPrincipal(reader, one)
          : await readYield(reader, { ...one, user })
      })
    },
  })
}

/** A contract is Pendle's only if one of its factories says that it made it. */
async function madeAmong(
  reader: BlockReader,
  { yields, markets }: PendleFactories,
  held: readonly HeldToken[],
): Promise<Made[]> {
  const named = await reader.tryRead(held.map(({ token }) => contractAt(MADE_ABI, token)('factory', [])))
  const made = await Promise.all(
    held.map(async (one, i): Promise<Made | null> => {
      const factory = named[i]?.toLowerCase() ?? ''
      const ask = contractAt(MADE_ABI, factory)
      if (markets.includes(factory)) {
        const [isMarket] = await reader.read([ask('isValidMarket', [one.token])])
        return isMarket ? { ...one, id: one.token, kind: 'market' } : null
      }
      if (!yields.includes(factory)) return null
      const [isPrincipal, isYield] = await reader.read([ask('isPT', [one.token]), ask('isYT', [one.token])])
      if (!isPrincipal && !isYield) return null
      return { ...one, id: one.token, kind: isPrincipal ? 'principal' : 'yield' }
    }),
  )
  return made.filter((one) => one !== null)
}

async function readPrincipal(reader: BlockReader, { id, token, raw }: Made): Promise<Position | null> {
  const own = contractAt(TOKEN_ABI, token)
  const principal = contractAt(PRINCIPAL_ABI, token)
  const [name, expiry, sy, yieldToken] = await reader.read([
    own('name', []),
    own('expiry', []),
    principal('SY', []),
    principal('YT', []),
  ])
  const [index] = await reader.read([contractAt(YIELD_ABI, yieldToken)('pyIndexCurrent', [])])
  const unlockAt = lockedUntil(reader, expiry)
  const [paid] = await redeemed(reader, sy, [(raw * ONE) / index])
  const assets = nonZero([{ role: unlockAt ? 'locked' : 'claimable', ...paid! }])
  return positionOf({ id, name, unlockAt, assets })
}

async function readYield(
  reader: BlockReader,
  { id, token, user }: Made & { user: Hex },
): Promise<Position | null> {
  const own = contractAt(YIELD_ABI, token)
  const [name, sy, rewards] = await reader.read([
    contractAt(TOKEN_ABI, token)('name', []),
    own('SY', []),
    own('getRewardTokens', []),
  ])
  const [due] = await reader.tryAs(user, [own('redeemDueInterestAndRewards', [user, true, true])])
  const [interest, ofRewards] = due ?? [0n, []]
  const assets = nonZero([
    ...(await redeemed(reader, sy, [interest])).map((paid) => ({ role: 'unclaimed', ...paid }) as const),
    ...unclaimed(rewards, ofRewards),
  ])
  return positionOf({ id, name, unlockAt: null, assets })
}

async function readMarket(
  reader: BlockReader,
  { id, token, raw, user }: Made & { user: Hex },
): Promise<Position | null> {
  const market = contractAt(MARKET_ABI, token)
  const [[sy, principal, yieldToken], state, rewards] = await reader.read([
    market('readTokens', []),
    market('readState', [zeroAddress]),
    market('getRewardTokens', []),
  ])
  const [name, index] = await reader.read([
    contractAt(TOKEN_ABI, principal)('name', []),
    contractAt(YIELD_ABI, yieldToken)('pyIndexCurrent', []),
  ])
  const shareOf = (total: bigint) => (total * raw) / state.totalLp
  const ofPrincipal = (shareOf(state.totalPt) * ONE) / index
  const [paid, later] = await redeemed(reader, sy, [shareOf(state.totalSy), ofPrincipal])
  const [ofRewards] = await reader.tryAs(user, [market('redeemRewards', [user])])
  const unlockAt = lockedUntil(reader, state.expiry)
  const assets = nonZero([
    { role: 'supplied', ...paid! },
    { role: unlockAt ? 'locked' : 'claimable', ...later! },
    ...unclaimed(rewards, ofRewards ?? []),
  ])
  return positionOf({ id, name: `Liquidity, ${name}`, unlockAt, assets })
}

/**
 * What amounts of a standardised yield contract pay in its yielding token, together at most what the contract holds.
 */
async function redeemed(
  reader: BlockReader,
  contract: Hex,
  amounts: readonly bigint[],
): Promise<{ token: string; raw: bigint }[]> {
  const sy = contractAt(STANDARDISED_ABI, contract)
  const [token] = await reader.read([sy('yieldToken', [])])
  const [[holds], paid] = await Promise.all([
    reader.read([contractAt(TOKEN_ABI, token)('balanceOf', [contract])]),
    reader.tryRead(amounts.map((raw) => sy('previewRedeem', [token, raw]))),
  ])
  let left = holds
  return paid.map((answer) => {
    const raw = answer ?? 0n
    const own = raw < left ? raw : left
    left -= own
    return { token: token.toLowerCase(), raw: own }
  })
}

function lockedUntil(reader: BlockReader, expiry: bigint): Date | null {
  const at = new Date(Number(expiry) * 1_000)
  return at > reader.block.at ? at : null
}

function positionOf(input: Pick<Position, 'id' | 'name' | 'unlockAt' | 'assets'>): Position | null {
  return input.assets.length === 0 ? null : { ...OPEN, ...input, poolAddress: input.id }
}
