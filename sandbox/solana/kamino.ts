import { derivedAddress, keyBytes } from '../../activities/defi/solana/codecs.ts'
import { KAMINO_LEND } from '../../activities/defi/solana/kamino.ts'
import {
  lendingMarket,
  OBLIGATION_BYTES,
  obligation,
  reserve,
} from '../../activities/defi/solana/kamino-layout.ts'
import { provider, systemProgram } from './actors.ts'
import { accountOf, type ProgramAccount } from './program-accounts.ts'
import { keyOf, usdc, WRAPPED_SOL } from './tokens.ts'

// A market that lends SOL at 160 USDC, and an obligation of 20 SOL and a debt of 1,000 USDC. Nobody pays interest there,
// so amounts stay.

const ONE = 1n << 60n
const market = keyOf('kamino market')
const reserveOfSol = keyOf('kamino reserve of SOL')
const reserveOfUsdc = keyOf('kamino reserve of USDC')

const owned = (at: string, size: number, data: ArrayLike<number> = []): ProgramAccount => {
  const bytes = new Uint8Array(size)
  bytes.set(data)
  return accountOf(KAMINO_LEND)(at, bytes)
}
const zeros = (size: number) => new Uint8Array(size)
const rate = (value: bigint) => ({
  words: [value, 0n, 0n, 0n] as const,
  reserved: zeros(16),
})
const update = { slot: 0n, flags: zeros(8) }

const reserveOf = (at: string, of: { mint: string; decimals: number; price: bigint; thresholdPct: number }) =>
  owned(
    at,
    8_624,
    reserve.encode({
      version: 1n,
      lastUpdate: update,
      lendingMarket: market,
      farms: zeros(64),
      mint: of.mint,
      vaults: zeros(64),
      available: 1_000_000_000_000n,
      borrowedSf: 250_000_000_000n * ONE,
      priceSf: of.price * ONE,
      pricedAt: 0n,
      mintDecimals: BigInt(of.decimals),
      limitsCrossedAt: zeros(16),
      cumulativeRate: rate(ONE + ONE / 4n),
      protocolFeesSf: 0n,
      referrerFeesSf: 0n,
      pendingReferrerFeesSf: 0n,
      reserved1: zeros(2_168),
      collateralMint: keyOf(`${at} token`),
      // One of the reserve's token stands for 1.25 of the other.
      collateralSupply: 1_000_000_000_000n,
      reserved2: zeros(2_256),
      status: 0,
      reserved3: 0,
      fixedRateBps: 0,
      reserved4: zeros(10),
      protocolTakePct: 15,
      liquidationFeePct: 50,
      loanToValuePct: of.thresholdPct - 5,
      liquidationThresholdPct: of.thresholdPct,
      reserved5: zeros(46),
      rateCurve: Array.from({ length: 11 }, (_, i) => ({ utilizationBps: i * 1_000, rateBps: 0 })),
      borrowFactorPct: 100n,
    }),
  )

const noDeposit = { reserve: systemProgram, amount: 0n, reserved: zeros(96) }
const noBorrow = {
  reserve: systemProgram,
  cumulativeRate: rate(0n),
  borrowedAt: 0n,
  amountSf: 0n,
  reserved: zeros(96),
}
const filled = <T>(size: number, first: T, none: T): T[] =>
  Array.from({ length: size }, (_, i) => (i === 0 ? first : none))

const own = obligation.encode({
  tag: 0n,
  lastUpdate: update,
  lendingMarket: market,
  owner: provider,
  deposits: filled(8, { ...noDeposit, reserve: reserveOfSol, amount: 16_000_000_000n }, noDeposit),
  reserved1: zeros(24),
  // Borrowed when the rate was 1: it has grown by a quarter.
  borrows: filled(
    5,
    { ...noBorrow, reserve: reserveOfUsdc, cumulativeRate: rate(ONE), amountSf: 800_000_000n * ONE },
    noBorrow,
  ),
  reserved2: zeros(77),
  elevationGroup: 0,
})

export const kaminoAccounts: readonly ProgramAccount[] = [
  owned(await derivedAddress(KAMINO_LEND, ['user_meta', keyBytes(provider)]), 1_032),
  owned(keyOf('kamino obligation'), OBLIGATION_BYTES, own),
  reserveOf(reserveOfSol, { mint: WRAPPED_SOL, decimals: 9, price: 160n, thresholdPct: 75 }),
  reserveOf(reserveOfUsdc, { mint: usdc.mint, decimals: 6, price: 1n, thresholdPct: 90 }),
  owned(
    market,
    4_664,
    lendingMarket.encode({
      version: 1n,
      reserved1: zeros(104),
      referralFeeBps: 0,
      reserved2: zeros(78),
      elevationGroups: Array.from({ length: 32 }, () => ({
        maxBonusBps: 0,
        id: 0,
        loanToValuePct: 0,
        liquidationThresholdPct: 0,
        reserved: zeros(67),
      })),
      reserved3: zeros(744),
      name: 'Main Market',
    }),
  ),
]
