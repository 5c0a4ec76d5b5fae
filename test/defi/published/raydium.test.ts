import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RAYDIUM_CLMM, raydium } from '../../../activities/defi/solana/raydium.ts'
import { sqrtPriceAt } from '../../../activities/defi/solana/raydium-ticks.ts'
import { keyOf } from '../../../sandbox/solana/tokens.ts'
import { atLeast, runs } from '../../setup/runs.ts'
import { readSolana, type SolanaState, tokenAccountOf } from '../solana-reader.ts'
import {
  type Earned,
  earned,
  expectPricesOfTicks,
  growths,
  MAX_TICK,
  modulo,
  type Place,
  places,
  priceAt,
} from './growths.ts'
import { derived, numeral, type Numeral, sdk, SdkKey, stored } from './raydium-sdk.ts'

// Accounts are encoded and found by Raydium's SDK. Amounts are those of its own arithmetic.

const [OWNER, POOL, CONFIG, OTHER] = ['owner', 'pool', 'config', 'other'].map(keyOf) as [
  string,
  string,
  string,
  string,
]
const [MINT_A, MINT_B, NFT] = ['a', 'b', 'nft'].map(keyOf) as [string, string, string]
const REWARDS = [0, 1, 2].map((i) => ({ mint: keyOf(`reward ${i}`), vault: keyOf(`vault ${i}`) }))
const NOW_S = 1_772_000_000
const NODE = { slot: 1, epoch: 700, slotIndex: 0, slotsInEpoch: 432_000, time: NOW_S }
const PROGRAM = { owner: RAYDIUM_CLMM, lamports: 1n }
const key = (text: string) => new SdkKey(text)
const big = (of: Numeral) => BigInt(of.toString())

interface Case {
  tickSpacing: number
  /** multiples of the spacing */
  ends: [number, number]
  place: Place
  liquidity: bigint
  /** beside the position's */
  otherLiquidity: bigint
  fees: [Earned, Earned]
  /** the first so many are there */
  rewardCount: number
  rewards: (Earned & {
    emissions: bigint
    vault: bigint
    /** seconds since its start, until its end and since its update, before now */
    age: number
    left: number
    updated: number
  })[]
}

const bits = (most: number) =>
  fc.integer({ min: 0, max: most }).chain((count) => fc.bigInt({ min: 0n, max: 2n ** BigInt(count) - 1n }))
const cases: fc.Arbitrary<Case> = fc.constantFrom(1, 10, 60, 120).chain((tickSpacing) => {
  const most = Math.floor(MAX_TICK / tickSpacing)
  return fc.record({
    tickSpacing: fc.constant(tickSpacing),
    ends: fc
      .uniqueArray(fc.integer({ min: -most, max: most }), { minLength: 2, maxLength: 2 })
      .map((ends) => ends.toSorted((a, b) => a - b) as [number, number]),
    place: places,
    liquidity: bits(100),
    otherLiquidity: fc.oneof(fc.constant(0n), bits(100)),
    fees: fc.tuple(earned(128), earned(128)),
    rewardCount: fc.nat(3),
    rewards: fc.array(
      fc.record({
        ...earned.of(126, 64),
        emissions: fc.oneof(bits(90), fc.bigInt({ min: 2n ** 60n, max: 2n ** 90n })),
        vault: fc.oneof(bits(64), fc.constant(2n ** 64n - 1n)),
        age: fc.integer({ min: -1_000, max: 10_000_000 }),
        left: fc.integer({ min: -5_000_000, max: 5_000_000 }),
        updated: fc.nat(10_000_000),
      }),
      { minLength: 3, maxLength: 3 },
    ),
  })
})

/** The accounts of a case as the SDK writes them, and as it reads them again. */
async function laidOut(of: Case) {
  const { tickSpacing, liquidity, fees, rewards } = of
  const [lower, upper] = of.ends.map((end) => end * tickSpacing) as [number, number]
  const sqrtPrice = priceAt(of.place, { lower, upper, sqrtPriceAt })
  const tickCurrent = sdk.SqrtPriceMath.getTickFromSqrtPriceX64(numeral(sqrtPrice))
  const range = { tick: tickCurrent, lower, upper }
  const [feeA, feeB] = fees.map((one) => growths(one, range)) as [Growths, Growths]
  const rewardGrowths = rewards.map((one) => growths(one, range))
  const pool = stored('PoolState', sdk.PoolInfoLayout, {
    bump: 255,
    ammConfig: key(CONFIG),
    creator: key(OTHER),
    mintA: key(MINT_A),
    mintB: key(MINT_B),
    vaultA: key(OTHER),
    vaultB: key(OTHER),
    observationId: key(OTHER),
    mintDecimalsA: 9,
    mintDecimalsB: 6,
    tickSpacing,
    liquidity: liquidity + of.otherLiquidity,
    sqrtPriceX64: sqrtPrice,
    tickCurrent,
    observationIndex: 7,
    observationUpdateDuration: 15,
    feeGrowthGlobalX64A: feeA.all,
    feeGrowthGlobalX64B: feeB.all,
    protocolFeesTokenA: 1n,
    protocolFeesTokenB: 2n,
    swapInAmountTokenA: 3n,
    swapOutAmountTokenB: 4n,
    swapInAmountTokenB: 5n,
    swapOutAmountTokenA: 6n,
    status: 0,
    rewardInfos: rewards.map(({ emissions, age, left, updated }, i) => {
      const isThere = i < of.rewardCount
      const openTime = NOW_S - age
      const endTime = Math.max(openTime, NOW_S + left)
      return {
        rewardState: isThere ? 2 : 0,
        openTime: BigInt(isThere ? openTime : 0),
        endTime: BigInt(isThere ? endTime : 0),
        lastUpdateTime: BigInt(isThere ? Math.min(endTime, NOW_S - updated) : 0),
        emissionsPerSecondX64: isThere ? emissions : 0n,
        rewardTotalEmissioned: 0n,
        rewardClaimed: 0n,
        tokenMint: isThere ? key(REWARDS[i]!.mint) : SdkKey.default,
        tokenVault: isThere ? key(REWARDS[i]!.vault) : SdkKey.default,
        creator: key(OTHER),
        rewardGrowthGlobalX64: isThere ? rewardGrowths[i]!.all : 0n,
      }
    }),
    tickArrayBitmap: Array.from({ length: 16 }, () => 0n),
    totalFeesTokenA: 0n,
    totalFeesClaimedTokenA: 0n,
    totalFeesTokenB: 0n,
    totalFeesClaimedTokenB: 0n,
    fundFeesTokenA: 0n,
    fundFeesTokenB: 0n,
    startTime: 0n,
    padding: Array.from({ length: 57 }, () => 0n),
  })
  const position = stored('PersonalPositionState', sdk.PositionInfoLayout, {
    bump: 254,
    nftMint: key(NFT),
    poolId: key(POOL),
    tickLower: lower,
    tickUpper: upper,
    liquidity,
    feeGrowthInsideLastX64A: feeA.checkpoint,
    feeGrowthInsideLastX64B: feeB.checkpoint,
    tokenFeesOwedA: fees[0].owed,
    tokenFeesOwedB: fees[1].owed,
    rewardInfos: rewards.map(({ owed }, i) => ({
      growthInsideLastX64: i < of.rewardCount ? rewardGrowths[i]!.checkpoint : 0n,
      rewardAmountOwed: i < of.rewardCount ? owed : 0n,
    })),
  })
  const tickAt = (end: 'lower' | 'upper') => ({
    tick: range[end],
    liquidityNet: 1n,
    liquidityGross: 1n,
    feeGrowthOutsideX64A: feeA[end],
    feeGrowthOutsideX64B: feeB[end],
    rewardGrowthsOutsideX64: rewardGrowths.map((one) => one[end]),
  })
  const ticks = [tickAt('lower'), tickAt('upper')]
  const startOf = (tick: number) => sdk.TickUtils.getTickArrayStartIndexByTick(tick, tickSpacing)
  const arrays = [...new Set([startOf(lower), startOf(upper)])].map(async (start) => {
    const address = await derived(sdk.getPdaTickArrayAddress(sdk.MAINNET_PROGRAM_ID.CLMM, key(POOL), start))
    const data = stored('TickArrayState', sdk.TickArrayLayout, {
      poolId: key(POOL),
      startTickIndex: start,
      ticks: Array.from(
        { length: 60 },
        (_, i) => ticks.find(({ tick }) => tick === start + i * tickSpacing) ?? UNUSED,
      ),
      initializedTickCount: 1,
    })
    return { ...PROGRAM, address, data }
  })
  const config = stored('AmmConfig', sdk.AmmConfigLayout, {
    bump: 1,
    index: 2,
    protocolFeeRate: 120_000,
    tradeFeeRate: 2_500,
    tickSpacing,
    fundFeeRate: 40_000,
    fundOwner: key(OTHER),
    padding: [0n, 0n, 0n],
  })
  const address = await derived(sdk.getPdaPersonalPositionAddress(sdk.MAINNET_PROGRAM_ID.CLMM, key(NFT)))
  return {
    range,
    own: { ...PROGRAM, address, data: position },
    accounts: [
      { ...PROGRAM, address: POOL, data: pool },
      { ...PROGRAM, address: CONFIG, data: config },
      ...rewards
        .slice(0, of.rewardCount)
        .map(({ vault }, i) =>
          tokenAccountOf({ address: REWARDS[i]!.vault, mint: REWARDS[i]!.mint, amount: vault }),
        ),
    ],
    arrays: await Promise.all(arrays),
    read: {
      pool: sdk.PoolInfoLayout.decode(pool),
      position: sdk.PositionInfoLayout.decode(position),
      ticks: await Promise.all(
        arrays.map(async (array) => sdk.TickArrayLayout.decode((await array).data).ticks),
      ).then((all) => ['lower', 'upper'].map((end) => all.flat().find(isAt(range[end as 'lower'])))),
    },
  }
}
type Growths = ReturnType<typeof growths>
const isAt = (tick: number) => (one: any) => one.tick === tick && one.liquidityGross.toString() === '1'
const UNUSED = {
  tick: 0,
  liquidityNet: 0n,
  liquidityGross: 0n,
  feeGrowthOutsideX64A: 0n,
  feeGrowthOutsideX64B: 0n,
  rewardGrowthsOutsideX64: [0n, 0n, 0n],
}

/** What the SDK says that the position pays. */
async function paid(
  of: Case,
  { range, read: { pool, position, ticks } }: Awaited<ReturnType<typeof laidOut>>,
) {
  const priceOf = (tick: number) => sdk.SqrtPriceMath.getSqrtPriceX64FromTick(tick)
  const { amountA, amountB } = sdk.LiquidityMath.getAmountsFromLiquidity(
    pool.sqrtPriceX64,
    priceOf(range.lower),
    priceOf(range.upper),
    position.liquidity,
    false,
  )
  const fees = sdk.PositionUtils.GetPositionFees(pool, position, ...ticks)
  const rewardInfos = await sdk.PoolUtils.updatePoolRewardInfos({
    apiPoolInfo: { rewardInfos: REWARDS.map(() => ({ programId: OTHER })) },
    chainTime: NOW_S,
    poolLiquidity: pool.liquidity,
    rewardInfos: pool.rewardInfos,
  })
  const rewards = sdk.PositionUtils.GetPositionRewards({ ...pool, rewardInfos }, position, ...ticks)
  return {
    amounts: [big(amountA), big(amountB)] as const,
    fees: [
      kept(big(fees.tokenFeeAmountA), of.fees[0].owed),
      kept(big(fees.tokenFeeAmountB), of.fees[1].owed),
    ] as const,
    rewards: rewards.map((one, i) => kept(big(one), of.rewards[i]!.owed)),
  }
}

/**
 * The program drops what it counts anew if 64 bits do not hold it. The SDK does not. The program also drops 2^64 - 1,
 * which no token has: the reader keeps it, as Orca's program does.
 */
const kept = (total: bigint, owed: bigint) => (total - owed < 2n ** 64n ? modulo(total, 64) : owed)

const read = (change: Partial<SolanaState>) =>
  readSolana(raydium, { account: OWNER, ...NODE, accounts: [], ...change })

test("a position has the amounts, fees and rewards of Raydium's arithmetic", async () => {
  const numRuns = runs({ short: 100, long: 20_000 })
  const seen = { whole: 0, fees: 0, rewards: 0 }
  await fc.assert(
    fc.asyncProperty(cases, async (of) => {
      const laid = await laidOut(of)
      const { own, accounts, arrays } = laid
      const { positions, unknown } = await read({
        tokens: { [NFT]: 1n },
        accounts: [own, ...accounts, ...arrays],
      })
      expect(unknown).toEqual([])
      const { amounts, fees, rewards } = await paid(of, laid)
      const assets = [
        { role: 'supplied', token: MINT_A, raw: amounts[0] },
        { role: 'supplied', token: MINT_B, raw: amounts[1] },
        { role: 'unclaimed', token: MINT_A, raw: fees[0] },
        { role: 'unclaimed', token: MINT_B, raw: fees[1] },
        ...rewards.map((owed, i) => {
          const { vault } = of.rewards[i]!
          return { role: 'unclaimed', token: REWARDS[i]!.mint, raw: owed < vault ? owed : vault }
        }),
      ].filter(({ raw }) => raw > 0n)
      expect(positions.flatMap((one) => one.assets)).toEqual(assets)
      if (assets.length === 0) return
      expect(positions).toMatchObject([
        { id: own.address, name: 'Liquidity 0.25%', poolAddress: POOL, healthRate: null },
      ])
      seen.whole++
      if (fees[0] > of.fees[0].owed) seen.fees++
      if (rewards.some((owed, i) => owed > of.rewards[i]!.owed)) seen.rewards++
    }),
    { numRuns },
  )
  // Each kind of case occurs in one of six or more often.
  expect(Object.values(seen).every((count) => count >= atLeast(numRuns, 6))).toBe(true)
})

test("prices of ticks are those of Raydium's SDK", () => {
  expectPricesOfTicks(sqrtPriceAt, (tick) => big(sdk.SqrtPriceMath.getSqrtPriceX64FromTick(tick)))
  expect(RAYDIUM_CLMM).toBe(sdk.MAINNET_PROGRAM_ID.CLMM.toBase58())
})

const [SOME] = fc.sample(cases, { numRuns: 1, seed: 4 }) as [Case]
const RICH: Case = {
  ...SOME,
  tickSpacing: 60,
  ends: [-10, 10],
  place: { share: 500, ticks: 0, within: 0 },
  liquidity: 10n ** 9n,
}

test('an NFT that is no position, or has left, is none', async () => {
  const { own, accounts, arrays } = await laidOut(RICH)
  const some = [own, ...accounts, ...arrays]
  expect((await read({ tokens: { [NFT]: 1n }, accounts: some })).positions).toHaveLength(1)
  const none = { positions: [], unknown: [] }
  expect(await read({ tokens: { [OTHER]: 1n }, accounts: some })).toEqual(none)
  expect(await read({ tokens: { [NFT]: 1n }, gone: [NFT], accounts: some })).toEqual(none)
  await expect(read({ tokens: { [NFT]: 1n }, accounts: [own, ...accounts] })).rejects.toThrow('no account')
})

test('an empty position counts with what it is owed, without ticks', async () => {
  const fees: Case['fees'] = [
    { ...RICH.fees[0], owed: 5n },
    { ...RICH.fees[1], owed: 0n },
  ]
  const { own, accounts } = await laidOut({ ...RICH, liquidity: 0n, fees, rewardCount: 0 })
  const { positions } = await read({ tokens: { [NFT]: 1n }, accounts: [own, ...accounts] })
  expect(positions.map(({ assets }) => assets)).toEqual([[{ role: 'unclaimed', token: MINT_A, raw: 5n }]])
})
