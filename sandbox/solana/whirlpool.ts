import { derivedAddress, keyBytes } from '../../activities/defi/solana/codecs.ts'
import { WHIRLPOOLS } from '../../activities/defi/solana/orca.ts'
import {
  fixedTickArray,
  TICKS_OF_ARRAY,
  whirlpool,
  whirlpoolPosition,
} from '../../activities/defi/solana/orca-layout.ts'
import { tokenAccount } from '../../activities/defi/solana/token-account.ts'
import { systemProgram } from './actors.ts'
import { accountOf, type ProgramAccount } from './program-accounts.ts'
import { drop, keyOf, usdc, whirlpoolNft, WRAPPED_SOL } from './tokens.ts'

// A pool of SOL and USDC with a price of 160 USDC, and a position of 10^12 units of liquidity in it.

const address = keyOf('whirlpool')
const rewardVault = keyOf('whirlpool reward vault')
const tickSpacing = 64
const ends = [-20_480, -16_384] as const
const liquidity = 10n ** 12n
/** The square root of 160 * 10^6 / 10^9. */
const sqrtPrice = (4n << 64n) / 10n
const tickCurrentIndex = -18_327
/** What a unit of liquidity has earned if the position has earned so many base units. */
const growth = (earned: bigint) => (earned << 64n) / liquidity + 1n

const span = tickSpacing * TICKS_OF_ARRAY
const pda = (seed: string, key: string, ...more: string[]) =>
  derivedAddress(WHIRLPOOLS, [seed, keyBytes(key), ...more])
const owned = accountOf(WHIRLPOOLS)

const noReward = {
  mint: systemProgram,
  vault: systemProgram,
  extension: systemProgram,
  emissionsPerSecondX64: 0n,
  growthGlobalX64: 0n,
}

const pool = owned(
  address,
  whirlpool.encode({
    whirlpoolsConfig: keyOf('whirlpools config'),
    whirlpoolBump: 255,
    tickSpacing,
    feeTierIndexSeed: tickSpacing,
    feeRate: 3_000,
    protocolFeeRate: 1_300,
    liquidity,
    sqrtPrice,
    tickCurrentIndex,
    protocolFeeOwedA: 0n,
    protocolFeeOwedB: 0n,
    tokenMintA: WRAPPED_SOL,
    tokenVaultA: keyOf('whirlpool vault of SOL'),
    feeGrowthGlobalA: growth(250_000_000n),
    tokenMintB: usdc.mint,
    tokenVaultB: keyOf('whirlpool vault of USDC'),
    feeGrowthGlobalB: growth(30_000_000n),
    rewardLastUpdatedTimestamp: 0n,
    rewardInfos: [
      { ...noReward, mint: drop.mint, vault: rewardVault, growthGlobalX64: growth(5n * 10n ** 9n) },
      noReward,
      noReward,
    ],
  }),
)

const position = owned(
  await pda('position', whirlpoolNft.mint),
  whirlpoolPosition.encode({
    whirlpool: address,
    positionMint: whirlpoolNft.mint,
    liquidity,
    tickLowerIndex: ends[0],
    tickUpperIndex: ends[1],
    feeGrowthCheckpointA: 0n,
    feeOwedA: 0n,
    feeGrowthCheckpointB: 0n,
    feeOwedB: 0n,
    rewardInfos: Array.from({ length: 3 }, () => ({ growthInsideCheckpoint: 0n, amountOwed: 0n })),
  }),
)

const arrays = ends.map(async (end) => {
  const startTickIndex = Math.floor(end / span) * span
  const tick = {
    liquidityNet: end === ends[0] ? liquidity : -liquidity,
    liquidityGross: liquidity,
    feeGrowthOutsideA: 0n,
    feeGrowthOutsideB: 0n,
    rewardGrowthsOutside: [0n, 0n, 0n],
  }
  const ticks = Array.from({ length: TICKS_OF_ARRAY }, (_, i) =>
    startTickIndex + i * tickSpacing === end ? tick : null,
  )
  return owned(
    await pda('tick_array', address, String(startTickIndex)),
    fixedTickArray.encode({ startTickIndex, ticks, whirlpool: address }),
  )
})

const vault: ProgramAccount = {
  ...owned(rewardVault, tokenAccount.encode({ mint: drop.mint, owner: address, amount: 10n ** 15n })),
  owner: drop.program,
}

export const whirlpoolAccounts: readonly ProgramAccount[] = [
  pool,
  position,
  vault,
  ...(await Promise.all(arrays)),
]
