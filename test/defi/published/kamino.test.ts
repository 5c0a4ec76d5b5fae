import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KAMINO_LEND, kaminoLend } from '../../../activities/defi/solana/kamino.ts'
import { keyOf } from '../../../sandbox/solana/tokens.ts'
import { atLeast, runs } from '../../setup/runs.ts'
import { readSolana, type SolanaState } from '../solana-reader.ts'
import { type Decimal, DecimalOf, integer, sdk, stored } from './kamino-sdk.ts'

// Accounts are encoded and found by Kamino's SDK. Amounts and health are those of its own classes.

const [OWNER, MARKET, OTHER] = ['owner', 'market', 'other'].map(keyOf) as [string, string, string]
const ID = keyOf('obligation')
const SLOT = 300_000_000
const NODE = { slot: SLOT, epoch: 700, slotIndex: 0, slotsInEpoch: 432_000, time: 1_772_000_000 }
const PROGRAM = { owner: KAMINO_LEND, lamports: 1n }
const ONE = 1n << 60n

interface ReserveCase {
  available: bigint
  borrowedSf: bigint
  /** of what was borrowed */
  feesPerMille: number
  collateralPct: number
  priceSf: bigint
  decimals: number
  rate: bigint
  /** slots since it was refreshed */
  age: number
  fixedRateBps: number
  takePct: number
  thresholdPct: number
  borrowFactorPct: number
  curve: { use: number; rate: number }[]
}
interface Case {
  reserves: ReserveCase[]
  deposits: { reserve: number; amount: bigint }[]
  borrows: { reserve: number; amountSf: bigint; growth: bigint }[]
  /** pct, or null: in none */
  group: number | null
}

const big = (min: bigint, max: bigint) => fc.bigInt({ min, max })
const reserves: fc.Arbitrary<ReserveCase> = fc.record({
  available: big(0n, 10n ** 15n),
  borrowedSf: big(ONE, 10n ** 15n * ONE),
  feesPerMille: fc.nat(50),
  collateralPct: fc.integer({ min: 50, max: 100 }),
  priceSf: big(ONE / 10_000n, 100_000n * ONE),
  decimals: fc.integer({ min: 5, max: 9 }),
  rate: big(ONE, 4n * ONE),
  age: fc.oneof(fc.constant(0), fc.nat(6), fc.nat(20_000)),
  fixedRateBps: fc.nat(300),
  takePct: fc.nat(40),
  thresholdPct: fc.integer({ min: 0, max: 95 }),
  borrowFactorPct: fc.integer({ min: 100, max: 250 }),
  curve: fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 1, max: 9_999 }), { maxLength: 6 }),
      fc.array(fc.nat(20_000), { minLength: 8, maxLength: 8 }),
    )
    .map(([uses, rates]) => {
      const rising = rates.toSorted((a, b) => a - b)
      return [0, ...uses.toSorted((a, b) => a - b), 10_000].map((use, i) => ({ use, rate: rising[i]! }))
    }),
})
const cases: fc.Arbitrary<Case> = fc.record({
  reserves: fc.array(reserves, { minLength: 3, maxLength: 3 }),
  deposits: fc.uniqueArray(fc.record({ reserve: fc.nat(2), amount: big(1n, 10n ** 13n) }), {
    selector: (one) => one.reserve,
    maxLength: 3,
  }),
  borrows: fc.uniqueArray(
    fc.record({ reserve: fc.nat(2), amountSf: big(ONE, 10n ** 13n * ONE), growth: big(0n, ONE / 2n) }),
    { selector: (one) => one.reserve, maxLength: 3 },
  ),
  group: fc.option(fc.integer({ min: 50, max: 95 })),
})

const MINTS = [0, 1, 2].map((i) => keyOf(`mint ${i}`))
const RESERVES = [0, 1, 2].map((i) => keyOf(`reserve ${i}`))
const GROUP = 3
const rateBytes = (rate: bigint) => ({
  value: [0, 1, 2, 3].map((i) => integer((rate >> BigInt(64 * i)) & (2n ** 64n - 1n))),
  padding: [integer(0), integer(0)],
})

function reserveData(of: ReserveCase, index: number): Uint8Array {
  const fees = (of.borrowedSf * BigInt(of.feesPerMille)) / 1_000n
  const supply = of.available + (of.borrowedSf - fees) / ONE
  const points = Array.from({ length: 11 }, (_, i) => of.curve[Math.min(i, of.curve.length - 1)]!)
  return stored(sdk.Reserve, (blank) => ({
    version: integer(1),
    lastUpdate: { ...blank.lastUpdate, slot: integer(SLOT - of.age) },
    lendingMarket: MARKET,
    liquidity: {
      ...blank.liquidity,
      mintPubkey: MINTS[index],
      totalAvailableAmount: integer(of.available),
      borrowedAmountSf: integer(of.borrowedSf),
      marketPriceSf: integer(of.priceSf),
      mintDecimals: integer(of.decimals),
      cumulativeBorrowRateBsf: rateBytes(of.rate),
      accumulatedProtocolFeesSf: integer(fees / 2n),
      accumulatedReferrerFeesSf: integer(fees / 4n),
      pendingReferrerFeesSf: integer(fees - fees / 2n - fees / 4n),
    },
    collateral: {
      ...blank.collateral,
      mintTotalSupply: integer((supply * BigInt(of.collateralPct)) / 100n),
    },
    config: {
      ...blank.config,
      hostFixedInterestRateBps: of.fixedRateBps,
      protocolTakeRatePct: of.takePct,
      loanToValuePct: Math.max(0, of.thresholdPct - 5),
      liquidationThresholdPct: of.thresholdPct,
      borrowRateCurve: {
        points: points.map(({ use, rate }) => ({ utilizationRateBps: use, borrowRateBps: rate })),
      },
      borrowFactorPct: integer(of.borrowFactorPct),
      elevationGroups: blank.config.elevationGroups.map((_: number, i: number) => (i === 0 ? GROUP : 0)),
    },
  }))
}

const marketData = (group: number | null): Uint8Array =>
  stored(sdk.LendingMarket, (blank) => ({
    referralFeeBps: 2_000,
    elevationGroups: blank.elevationGroups.map((one: object, i: number) =>
      i === GROUP - 1 ? { ...one, id: GROUP, ltvPct: 40, liquidationThresholdPct: group ?? 0 } : one,
    ),
    name: [...Buffer.from('Main Market'.padEnd(32, '\0'))],
  }))

const obligationData = (of: Case, owner = OWNER): Uint8Array =>
  stored(sdk.Obligation, (blank) => ({
    lendingMarket: MARKET,
    owner,
    deposits: blank.deposits.map((none: object, i: number) => {
      const own = of.deposits[i]
      return own
        ? { ...none, depositReserve: RESERVES[own.reserve], depositedAmount: integer(own.amount) }
        : none
    }),
    borrows: blank.borrows.map((none: object, i: number) => {
      const own = of.borrows[i]
      if (!own) return none
      const { rate } = of.reserves[own.reserve]!
      return {
        ...none,
        borrowReserve: RESERVES[own.reserve],
        // Borrowed when the rate was lower.
        cumulativeBorrowRateBsf: rateBytes((rate * ONE) / (ONE + own.growth)),
        borrowedAmountSf: integer(own.amountSf),
      }
    }),
    elevationGroup: of.group === null ? 0 : GROUP,
  }))

async function laidOut(of: Case) {
  const [user] = await sdk.userMetadataPda(OWNER)
  const own = { ...PROGRAM, address: ID, data: obligationData(of) }
  const reserveAccounts = of.reserves.map((one, i) => ({
    ...PROGRAM,
    address: RESERVES[i]!,
    data: reserveData(one, i),
  }))
  const market = { ...PROGRAM, address: MARKET, data: marketData(of.group) }
  const metadata = { ...PROGRAM, address: user, data: stored(sdk.UserMetadata, () => ({ owner: OWNER })) }
  return { own, market, reserveAccounts, metadata, accounts: [own, market, ...reserveAccounts, metadata] }
}

/** The obligation as the SDK has it at the slot. */
function asSdk({ own, market, reserveAccounts }: Awaited<ReturnType<typeof laidOut>>, of: Case) {
  const known = new Map(
    reserveAccounts.map(({ address, data }, i) => {
      const price = new DecimalOf(String(of.reserves[i]!.priceSf)).div(String(ONE))
      const decimals = new DecimalOf(String(of.reserves[i]!.decimals))
      const oracle = { mintAddress: MINTS[i], decimals, price, timestamp: 0n, valid: true }
      return [address, sdk.KaminoReserve.initialize(address, sdk.Reserve.decode(data), oracle, null, 500)]
    }),
  )
  const state = sdk.LendingMarket.decode(market.data)
  const kaminoMarket = {
    state,
    getReserveByAddress: (address: string) => known.get(address),
    getElevationGroup: (id: number) => state.elevationGroups[id - 1],
  }
  const obligation = sdk.Obligation.decode(own.data)
  const { collateralExchangeRates, cumulativeBorrowRates } = sdk.KaminoObligation.getRatesForObligation(
    kaminoMarket,
    obligation.deposits,
    obligation.borrows,
    BigInt(SLOT),
  )
  return new sdk.KaminoObligation(
    kaminoMarket,
    ID,
    obligation,
    collateralExchangeRates,
    cumulativeBorrowRates,
  )
}

const read = (change: Partial<SolanaState>) =>
  readSolana(kaminoLend, { account: OWNER, ...NODE, accounts: [], ...change })

/**
 * Above the SDK's number by less than one, or below. If interest runs since a refresh, the SDK estimates it with the use
 * of the reserve at its end, and the program with that at its beginning: they differ by little.
 */
function expectNear(raw: bigint, of: Decimal, rounded: 'down' | 'up', age: number): void {
  const more = new DecimalOf(String(raw)).minus(of).toNumber()
  const slack = age === 0 ? 1e-9 : Number(raw) * 1e-6
  expect(more).toBeGreaterThan((rounded === 'down' ? -1 : 0) - slack - 1e-9)
  expect(more).toBeLessThan((rounded === 'down' ? 0 : 1) + slack + 1e-9)
}

test("an obligation has the amounts and the health of Kamino's SDK", async () => {
  const numRuns = runs({ short: 100, long: 10_000 })
  const seen = { deposits: 0, debts: 0, fresh: 0, healths: 0, groups: 0 }
  await fc.assert(
    fc.asyncProperty(cases, async (of) => {
      const laid = await laidOut(of)
      const { positions, unknown } = await read({ accounts: laid.accounts })
      expect(unknown).toEqual([])
      const expected = asSdk(laid, of)
      const [position] = positions
      const rawOf = (role: string, index: number) =>
        position?.assets.find((one) => one.role === role && one.token === MINTS[index])?.raw ?? 0n
      for (const { reserve } of of.deposits) {
        const { age } = of.reserves[reserve]!
        expectNear(rawOf('supplied', reserve), expected.deposits.get(RESERVES[reserve]!)!.amount, 'down', age)
        seen.deposits++
        if (age === 0) seen.fresh++
      }
      for (const { reserve } of of.borrows) {
        const { age } = of.reserves[reserve]!
        expectNear(rawOf('borrowed', reserve), expected.borrows.get(RESERVES[reserve]!)!.amount, 'up', age)
        seen.debts++
      }
      if (!position) return
      expect(position).toMatchObject({ id: ID, name: 'Main Market', poolAddress: MARKET, unlockAt: null })
      const { borrowLiquidationLimit, userTotalBorrowBorrowFactorAdjusted: debt } = expected.refreshedStats
      if (of.borrows.length === 0) {
        expect(position.healthRate).toBeNull()
        return
      }
      const health = borrowLiquidationLimit.div(debt).toNumber()
      // Eighteen digits, and the SDK's estimate of interest.
      expect(Math.abs(Number(position.healthRate) - health)).toBeLessThan(2e-6 * health + 2e-18)
      if (health > 0) seen.healths++
      if (health > 0 && of.group !== null) seen.groups++
    }),
    { numRuns },
  )
  // Each kind of case occurs in one of six or more often.
  expect(Object.values(seen).every((count) => count >= atLeast(numRuns, 6))).toBe(true)
  expect(KAMINO_LEND).toBe(sdk.PROGRAM_ID)
})

const [SOME] = fc.sample(cases, { numRuns: 1, seed: 2 }) as [Case]
const RICH: Case = { ...SOME, deposits: [{ reserve: 0, amount: 10n ** 9n }], borrows: [], group: null }

test('only the obligations of the account are read, and nothing is listed for who never had one', async () => {
  const { accounts, metadata } = await laidOut(RICH)
  const other = { ...PROGRAM, address: keyOf('other obligation'), data: obligationData(RICH, OTHER) }
  const { positions } = await read({ accounts: [...accounts, other] })
  expect(positions.map(({ id }) => id)).toEqual([ID])
  const withoutUser = accounts.filter((one) => one !== metadata)
  const none = { positions: [], unknown: [] }
  expect(await read({ accounts: withoutUser, refused: [KAMINO_LEND] })).toEqual(none)
})

test('a deposit and a loan of nothing that keep their places are left out, and their reserves are not read', async () => {
  const deposits = [...RICH.deposits, { reserve: 1, amount: 0n }]
  const { accounts, reserveAccounts } = await laidOut({
    ...RICH,
    deposits,
    borrows: [{ reserve: 2, amountSf: 0n, growth: 0n }],
  })
  const known = accounts.filter((one) => one !== reserveAccounts[1] && one !== reserveAccounts[2])
  const { positions, unknown } = await read({ accounts: known })
  expect(unknown).toEqual([])
  expect(positions[0]!.assets.map(({ role, token }) => [role, token])).toEqual([['supplied', MINTS[0]]])
  expect(positions[0]!.healthRate).toBeNull()
})

test('obligations are in the order of their addresses, whatever the order of the node', async () => {
  const { accounts } = await laidOut(RICH)
  const others = ['second', 'third', 'fourth'].map((name) => keyOf(`${name} obligation`))
  const data = obligationData(RICH, OWNER)
  const all = [...accounts, ...others.map((address) => ({ ...PROGRAM, address, data }))]
  for (const order of [all, all.toReversed()]) {
    const { positions } = await read({ accounts: order })
    expect(positions.map(({ id }) => id)).toEqual([ID, ...others].toSorted())
  }
})

test('a node that does not list obligations, or a reserve that is missing, leaves them unknown', async () => {
  const { accounts, reserveAccounts } = await laidOut(RICH)
  await expect(read({ accounts, refused: [KAMINO_LEND] })).rejects.toThrow('have been disabled')
  const lost = accounts.filter((one) => one !== reserveAccounts[0])
  await expect(read({ accounts: lost })).rejects.toThrow(`no account ${RESERVES[0]}`)
})
