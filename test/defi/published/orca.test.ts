import {
  DYNAMIC_TICK_ARRAY_DISCRIMINATOR,
  type DynamicTickArgs,
  getBundledPositionAddress,
  getDynamicTickArrayEncoder,
  getFixedTickArrayEncoder,
  getLockConfigAddress,
  getLockConfigEncoder,
  getPositionAddress,
  getPositionBundleAddress,
  getPositionBundleEncoder,
  getPositionEncoder,
  getTickArrayAddress,
  getWhirlpoolEncoder,
  LockTypeLabel,
  WHIRLPOOL_PROGRAM_ADDRESS,
} from '@orca-so/whirlpools-client'
import {
  collectFeesQuote,
  collectRewardsQuote,
  decreaseLiquidityQuote,
  getTickArrayStartTickIndex,
  sqrtPriceToTickIndex,
  tickIndexToSqrtPrice,
} from '@orca-so/whirlpools-core'
import type { Address } from '@solana/kit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { orca, WHIRLPOOLS } from '../../../activities/defi/solana/orca.ts'
import { sqrtPriceAt } from '../../../activities/defi/solana/orca-ticks.ts'
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

// Accounts are encoded and found by Orca's client. Amounts are those of Orca's own quotes.

const key = (name: string) => keyOf(name) as Address
const [OWNER, POOL, MINT_A, MINT_B, NFT, OTHER] = ['owner', 'pool', 'a', 'b', 'nft', 'other'].map(key) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]
const REWARDS = [0, 1, 2].map((i) => ({ mint: key(`reward ${i}`), vault: key(`vault ${i}`) }))
const NO_MINT = '11111111111111111111111111111111' as Address
const NOW_S = 1_772_000_000
const NODE = { slot: 1, epoch: 700, slotIndex: 0, slotsInEpoch: 432_000, time: NOW_S }
const U64 = 2n ** 64n - 1n
const PROGRAM = { owner: WHIRLPOOLS, lamports: 1n }

interface Case {
  tickSpacing: number
  /** multiples of the spacing */
  ends: [number, number]
  place: Place
  liquidity: bigint
  /** beside the position's */
  otherLiquidity: bigint
  isDynamic: boolean
  isLocked: boolean
  /** seconds since the rewards were updated */
  passed: number
  fees: [Earned, Earned]
  rewards: (Earned & { emissions: bigint; isThere: boolean; vault: bigint })[]
}

const bits = (most: number) =>
  fc.integer({ min: 0, max: most }).chain((count) => fc.bigInt({ min: 0n, max: 2n ** BigInt(count) - 1n }))
const cases: fc.Arbitrary<Case> = fc.constantFrom(1, 2, 8, 64, 128, 32_896).chain((tickSpacing) => {
  const most = Math.floor(MAX_TICK / tickSpacing)
  return fc.record({
    tickSpacing: fc.constant(tickSpacing),
    ends: fc
      .uniqueArray(fc.integer({ min: -most, max: most }), { minLength: 2, maxLength: 2 })
      .map((ends) => ends.toSorted((a, b) => a - b) as [number, number]),
    place: places,
    liquidity: bits(100),
    otherLiquidity: fc.oneof(fc.constant(0n), bits(100)),
    isDynamic: fc.boolean(),
    isLocked: fc.boolean(),
    passed: fc.nat(100_000_000),
    fees: fc.tuple(earned(128), earned(128)),
    rewards: fc.array(
      fc.record({
        ...earned.of(126, 64),
        emissions: fc.oneof(bits(90), fc.bigInt({ min: 2n ** 60n, max: 2n ** 90n })),
        isThere: fc.boolean(),
        vault: fc.oneof(bits(64), fc.constant(2n ** 64n - 1n)),
      }),
      { minLength: 3, maxLength: 3 },
    ),
  })
})

/** The accounts of a case as the client writes them, and what its quotes need of them. */
async function laidOut(of: Case) {
  const { tickSpacing, liquidity, fees, rewards } = of
  const [lower, upper] = of.ends.map((end) => end * tickSpacing) as [number, number]
  const sqrtPrice = priceAt(of.place, {
    lower,
    upper,
    sqrtPriceAt: tickIndexToSqrtPrice,
  })
  const tickCurrentIndex = sqrtPriceToTickIndex(sqrtPrice)
  const range = { tick: tickCurrentIndex, lower, upper }
  const [feeA, feeB] = fees.map((one) => growths(one, range)) as [Growths, Growths]
  const rewardGrowths = rewards.map((one) => growths(one, range))
  const whirlpool = {
    whirlpoolsConfig: OTHER,
    whirlpoolBump: Uint8Array.of(255),
    tickSpacing,
    feeTierIndexSeed: Uint8Array.of(64, 0),
    feeRate: 3_000,
    protocolFeeRate: 1_300,
    liquidity: liquidity + of.otherLiquidity,
    sqrtPrice,
    tickCurrentIndex,
    protocolFeeOwedA: 5n,
    protocolFeeOwedB: 6n,
    tokenMintA: MINT_A,
    tokenVaultA: OTHER,
    feeGrowthGlobalA: feeA.all,
    tokenMintB: MINT_B,
    tokenVaultB: OTHER,
    feeGrowthGlobalB: feeB.all,
    rewardLastUpdatedTimestamp: BigInt(NOW_S - of.passed),
    rewardInfos: rewards.map(({ emissions, isThere }, i) => ({
      mint: isThere ? REWARDS[i]!.mint : NO_MINT,
      vault: isThere ? REWARDS[i]!.vault : NO_MINT,
      extension: new Uint8Array(32),
      emissionsPerSecondX64: isThere ? emissions : 0n,
      growthGlobalX64: rewardGrowths[i]!.all,
    })),
  }
  const position = {
    whirlpool: POOL,
    positionMint: NFT,
    liquidity,
    tickLowerIndex: lower,
    tickUpperIndex: upper,
    feeGrowthCheckpointA: feeA.checkpoint,
    feeOwedA: fees[0].owed,
    feeGrowthCheckpointB: feeB.checkpoint,
    feeOwedB: fees[1].owed,
    rewardInfos: rewards.map(({ owed }, i) => ({
      growthInsideCheckpoint: rewardGrowths[i]!.checkpoint,
      amountOwed: owed,
    })),
  }
  const tickAt = (end: 'lower' | 'upper') => ({
    initialized: true,
    liquidityNet: 1n,
    liquidityGross: 1n,
    feeGrowthOutsideA: feeA[end],
    feeGrowthOutsideB: feeB[end],
    rewardGrowthsOutside: rewardGrowths.map((one) => one[end]),
  })
  const ticks = [
    { index: lower, tick: tickAt('lower') },
    { index: upper, tick: tickAt('upper') },
  ]
  const starts = new Set(ticks.map(({ index }) => getTickArrayStartTickIndex(index, tickSpacing)))
  const arrays = [...starts].map(async (start) => {
    const [address] = await getTickArrayAddress(POOL, start)
    const slots = Array.from({ length: 88 }, (_, i) =>
      ticks.find(({ index }) => index === start + i * tickSpacing),
    )
    return { ...PROGRAM, address, data: (of.isDynamic ? dynamicArray : fixedArray)(start, slots) }
  })
  const [address] = await getPositionAddress(NFT)
  const [lockAddress] = await getLockConfigAddress(address)
  const lock = getLockConfigEncoder().encode({
    position: address,
    positionOwner: OWNER,
    whirlpool: POOL,
    lockedTimestamp: 1n,
    lockType: LockTypeLabel.Permanent,
  })
  const accounts = [
    { ...PROGRAM, address: POOL, data: bytes(getWhirlpoolEncoder().encode(whirlpool)) },
    ...rewards.flatMap(({ isThere, vault }, i) =>
      isThere ? tokenAccountOf({ address: REWARDS[i]!.vault, mint: REWARDS[i]!.mint, amount: vault }) : [],
    ),
    ...(of.isLocked ? [{ ...PROGRAM, address: lockAddress, data: bytes(lock) }] : []),
  ]
  const own = { ...PROGRAM, address, data: bytes(getPositionEncoder().encode(position)) }
  return {
    whirlpool,
    position,
    own,
    accounts,
    arrays: await Promise.all(arrays),
    ticks: ticks.map(({ tick }) => tick) as [Tick, Tick],
  }
}
type Growths = ReturnType<typeof growths>
type Tick = {
  initialized: boolean
  liquidityNet: bigint
  liquidityGross: bigint
  feeGrowthOutsideA: bigint
  feeGrowthOutsideB: bigint
  rewardGrowthsOutside: bigint[]
}

const bytes = (of: ArrayLike<number>) => Uint8Array.from(of)
const UNUSED: Tick = {
  initialized: false,
  liquidityNet: 0n,
  liquidityGross: 0n,
  feeGrowthOutsideA: 0n,
  feeGrowthOutsideB: 0n,
  rewardGrowthsOutside: [0n, 0n, 0n],
}
const fixedArray = (startTickIndex: number, slots: ({ tick: Tick } | undefined)[]) => {
  const ticks = slots.map((slot) => slot?.tick ?? UNUSED)
  return bytes(getFixedTickArrayEncoder().encode({ startTickIndex, ticks, whirlpool: POOL }))
}
const dynamicArray = (startTickIndex: number, slots: ({ tick: Tick } | undefined)[]) => {
  const ticks = slots.map((slot): DynamicTickArgs =>
    slot ? { __kind: 'Initialized', fields: [slot.tick] } : { __kind: 'Uninitialized' },
  )
  const tickBitmap = slots.reduce((map, slot, i) => (slot ? map | (1n << BigInt(i)) : map), 0n)
  return bytes(getDynamicTickArrayEncoder().encode({ startTickIndex, whirlpool: POOL, tickBitmap, ticks }))
}

const read = (change: Partial<SolanaState>) =>
  readSolana(orca, { account: OWNER, ...NODE, accounts: [], ...change })

/** What a quote says; null: the amount does not fit into 64 bits. */
function quoted<T>(quote: () => T): T | null {
  try {
    return quote()
  } catch (error) {
    expect(String(error)).toMatch(/exceeds|overflow/i)
    return null
  }
}

describe('a position', () => {
  test("has the amounts, fees and rewards of Orca's quotes", async () => {
    const numRuns = runs({ short: 100, long: 20_000 })
    const seen = { whole: 0, locked: 0, fees: 0, rewards: 0, emitted: 0 }
    await fc.assert(
      fc.asyncProperty(cases, async (of) => {
        const { whirlpool, position, own, accounts, arrays, ticks } = await laidOut(of)
        const { positions, unknown } = await read({
          tokens: { [NFT]: 1n },
          accounts: [own, ...accounts, ...arrays],
        })
        expect(unknown).toEqual([])
        const { liquidity, tickLowerIndex: lower, tickUpperIndex: upper } = position
        const amounts = quoted(() => decreaseLiquidityQuote(liquidity, 0, whirlpool.sqrtPrice, lower, upper))
        if (!amounts) return
        // The quote throws where the program drops what it counts anew.
        const fees = quoted(() => collectFeesQuote(whirlpool, position, ...ticks)) ?? {
          feeOwedA: dropped(of, 0, position.feeOwedA),
          feeOwedB: dropped(of, 1, position.feeOwedB),
        }
        const { rewards } = collectRewardsQuote(whirlpool, position, ...ticks, BigInt(NOW_S))
        const role = of.isLocked ? 'locked' : 'supplied'
        const assets = [
          { role, token: MINT_A, raw: amounts.tokenEstA },
          { role, token: MINT_B, raw: amounts.tokenEstB },
          { role: 'unclaimed', token: MINT_A, raw: fees.feeOwedA },
          { role: 'unclaimed', token: MINT_B, raw: fees.feeOwedB },
          ...of.rewards.flatMap(({ isThere, vault }, i) => {
            const owed = rewards[i]!.rewardsOwed
            return isThere
              ? { role: 'unclaimed', token: REWARDS[i]!.mint, raw: owed < vault ? owed : vault }
              : []
          }),
        ].filter(({ raw }) => raw > 0n)
        expect(positions.flatMap((one) => one.assets)).toEqual(assets)
        if (assets.length === 0) return
        expect(positions).toMatchObject([
          { id: own.address, name: 'Liquidity 0.3%', poolAddress: POOL, healthRate: null, unlockAt: null },
        ])
        seen.whole++
        if (assets.some((one) => one.role === 'locked')) seen.locked++
        if (fees.feeOwedA > of.fees[0].owed) seen.fees++
        if (rewards.some(({ rewardsOwed }, i) => rewardsOwed > of.rewards[i]!.owed)) seen.rewards++
        const before = collectRewardsQuote(
          whirlpool,
          position,
          ...ticks,
          whirlpool.rewardLastUpdatedTimestamp,
        )
        const isThere = (i: number) =>
          of.rewards[i]!.isThere && of.rewards[i]!.vault > rewards[i]!.rewardsOwed
        if (rewards.some((one, i) => isThere(i) && one.rewardsOwed !== before.rewards[i]!.rewardsOwed))
          seen.emitted++
      }),
      { numRuns },
    )
    // Each kind of case occurs in one of six or more often.
    expect(Object.values(seen).every((count) => count >= atLeast(numRuns, 6))).toBe(true)
  })
})

/** Fees of a case in which at least one of both overflows. */
function dropped(of: Case, index: 0 | 1, owed: bigint): bigint {
  const added = (of.liquidity * modulo(of.fees[index].gained)) >> 64n
  return added > U64 ? owed : modulo(owed + added, 64)
}

test("prices of ticks are those of Orca's core", () => {
  expectPricesOfTicks(sqrtPriceAt, tickIndexToSqrtPrice)
  expect(WHIRLPOOLS).toBe(WHIRLPOOL_PROGRAM_ADDRESS)
})

const [SOME] = fc.sample(cases, { numRuns: 1, seed: 4 }) as [Case]
const RICH: Case = {
  ...SOME,
  tickSpacing: 64,
  ends: [-10, 10],
  place: { share: 500, ticks: 0, within: 0 },
  liquidity: 10n ** 9n,
}

test('positions of a bundle are found by its NFT', async () => {
  const { position, accounts, arrays } = await laidOut(RICH)
  const indexes = [0, 7, 8, 130, 255]
  const [bundle] = await getPositionBundleAddress(NFT)
  const positionBitmap = new Uint8Array(32)
  for (const index of indexes) positionBitmap[index >> 3]! |= 1 << (index & 7)
  const data = bytes(getPositionBundleEncoder().encode({ positionBundleMint: NFT, positionBitmap }))
  const bundled = indexes.map(async (index) => {
    const [address] = await getBundledPositionAddress(NFT, index)
    return { ...PROGRAM, address, data: bytes(getPositionEncoder().encode(position)) }
  })
  const all = await Promise.all(bundled)
  const { positions } = await read({
    tokens: { [NFT]: 1n },
    accounts: [{ ...PROGRAM, address: bundle, data }, ...all, ...accounts, ...arrays],
  })
  expect(positions.map(({ id }) => id)).toEqual(all.map(({ address }) => address))
  expect(positions.every(({ assets }) => assets.length > 0)).toBe(true)
})

test('an NFT that is no position, or has left, is none', async () => {
  const { own, accounts, arrays } = await laidOut(RICH)
  const some = [own, ...accounts, ...arrays]
  expect((await read({ tokens: { [NFT]: 1n }, accounts: some })).positions).toHaveLength(1)
  const none = { positions: [], unknown: [] }
  expect(await read({ tokens: { [OTHER]: 1n }, accounts: some })).toEqual(none)
  expect(await read({ tokens: { [NFT]: 1n }, gone: [NFT], accounts: some })).toEqual(none)
  expect(await read({ tokens: { [NFT]: 1n }, accounts: [{ ...own, owner: OTHER }] })).toEqual(none)
})

test('a position whose pool or ticks do not answer is unknown, and the others are read', async () => {
  const { own, position, accounts, arrays } = await laidOut(RICH)
  const [address] = await getPositionAddress(OTHER)
  const lost = { ...position, whirlpool: key('lost') }
  const other = { ...PROGRAM, address, data: bytes(getPositionEncoder().encode(lost)) }
  const tokens = { [NFT]: 1n, [OTHER]: 1n }
  const found = await read({ tokens, accounts: [own, other, ...accounts, ...arrays] })
  expect(found.positions.map(({ id }) => id)).toEqual([own.address])
  expect(found.unknown).toEqual([{ id: address, reason: expect.stringContaining('no account') }])
  const alone = { [NFT]: 1n }
  await expect(read({ tokens: alone, accounts: [own, ...accounts] })).rejects.toThrow('no account')
  const broken = arrays.map((one) => ({ ...one, data: bytes(DYNAMIC_TICK_ARRAY_DISCRIMINATOR) }))
  await expect(read({ tokens: alone, accounts: [own, ...accounts, ...broken] })).rejects.toThrow(
    'of this layout',
  )
})

test('an empty position counts with what it is owed, without ticks', async () => {
  const fees: Case['fees'] = [
    { ...RICH.fees[0], owed: 5n },
    { ...RICH.fees[1], owed: 0n },
  ]
  const rewards = RICH.rewards.map((one) => ({ ...one, owed: 0n }))
  const { own, accounts } = await laidOut({ ...RICH, liquidity: 0n, fees, rewards })
  const { positions } = await read({ tokens: { [NFT]: 1n }, accounts: [own, ...accounts] })
  expect(positions.map(({ assets }) => assets)).toEqual([[{ role: 'unclaimed', token: MINT_A, raw: 5n }]])
})

test('more NFTs than are looked at leave the protocol unknown', async () => {
  const tokens = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [key(`nft ${i}`), 1n]))
  await expect(read({ tokens })).rejects.toThrow('1001 NFTs')
})
