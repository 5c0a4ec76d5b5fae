import { Endian, getI32Codec } from '@solana/codecs'
import { derivedAddress, keyBytes } from '../../activities/defi/solana/codecs.ts'
import { RAYDIUM_CLMM } from '../../activities/defi/solana/raydium.ts'
import {
  ammConfig,
  personalPosition,
  poolState,
  TICKS_OF_ARRAY,
  tickArrayState,
} from '../../activities/defi/solana/raydium-layout.ts'
import { systemProgram } from './actors.ts'
import { accountOf, type ProgramAccount } from './program-accounts.ts'
import { keyOf, raydiumNft, usdc, WRAPPED_SOL } from './tokens.ts'

// A pool of SOL and USDC with a price of 160 USDC, and a position of 10^11 units of liquidity in it.

const address = keyOf('raydium pool')
const config = keyOf('raydium config')
const tickSpacing = 60
const ends = [-20_460, -16_380] as const
const liquidity = 10n ** 11n
/** What a unit of liquidity has earned if the position has earned so many base units. */
const growth = (earned: bigint) => (earned << 64n) / liquidity + 1n

const owned = accountOf(RAYDIUM_CLMM)

const noReward = {
  state: 0,
  openTime: 0n,
  endTime: 0n,
  lastUpdateTime: 0n,
  emissionsPerSecondX64: 0n,
  totalEmitted: 0n,
  claimed: 0n,
  mint: systemProgram,
  vault: systemProgram,
  authority: systemProgram,
  growthGlobalX64: 0n,
}

const pool = owned(
  address,
  poolState.encode({
    bump: 255,
    ammConfig: config,
    creator: keyOf('raydium creator'),
    tokenMint0: WRAPPED_SOL,
    tokenMint1: usdc.mint,
    tokenVault0: keyOf('raydium vault of SOL'),
    tokenVault1: keyOf('raydium vault of USDC'),
    observation: keyOf('raydium observation'),
    mintDecimals0: 9,
    mintDecimals1: 6,
    tickSpacing,
    liquidity,
    // The square root of 160 * 10^6 / 10^9.
    sqrtPriceX64: (4n << 64n) / 10n,
    tickCurrent: -18_327,
    reserved1: 0,
    feeGrowthGlobal0X64: growth(20_000_000n),
    feeGrowthGlobal1X64: growth(4_000_000n),
    protocolFees0: 0n,
    protocolFees1: 0n,
    reserved2: [0n, 0n, 0n, 0n],
    status: 0,
    feeOn: 0,
    reserved3: [0, 0, 0, 0, 0, 0],
    rewardInfos: [noReward, noReward, noReward],
  }),
)

const position = owned(
  await derivedAddress(RAYDIUM_CLMM, ['position', keyBytes(raydiumNft.mint)]),
  personalPosition.encode({
    bump: 255,
    nftMint: raydiumNft.mint,
    poolId: address,
    tickLowerIndex: ends[0],
    tickUpperIndex: ends[1],
    liquidity,
    feeGrowthInside0LastX64: 0n,
    feeGrowthInside1LastX64: 0n,
    tokenFeesOwed0: 0n,
    tokenFeesOwed1: 0n,
    rewardInfos: Array.from({ length: 3 }, () => ({ growthInsideLastX64: 0n, rewardAmountOwed: 0n })),
  }),
)

const bigEndian = getI32Codec({ endian: Endian.Big })
const unused = {
  tick: 0,
  liquidityNet: 0n,
  liquidityGross: 0n,
  feeGrowthOutside0X64: 0n,
  feeGrowthOutside1X64: 0n,
  rewardGrowthsOutsideX64: [0n, 0n, 0n],
  reserved: Array.from({ length: 13 }, () => 0),
}
const arrays = ends.map(async (end) => {
  const span = tickSpacing * TICKS_OF_ARRAY
  const startTickIndex = Math.floor(end / span) * span
  const liquidityNet = end === ends[0] ? liquidity : -liquidity
  const tick = { ...unused, tick: end, liquidityNet, liquidityGross: liquidity }
  const ticks = Array.from({ length: TICKS_OF_ARRAY }, (_, i) =>
    startTickIndex + i * tickSpacing === end ? tick : unused,
  )
  return owned(
    await derivedAddress(RAYDIUM_CLMM, ['tick_array', keyBytes(address), bigEndian.encode(startTickIndex)]),
    tickArrayState.encode({ poolId: address, startTickIndex, ticks }),
  )
})

export const raydiumAccounts: readonly ProgramAccount[] = [
  pool,
  position,
  owned(
    config,
    ammConfig.encode({
      bump: 1,
      index: 2,
      owner: systemProgram,
      protocolFeeRate: 120_000,
      tradeFeeRate: 500,
    }),
  ),
  ...(await Promise.all(arrays)),
]
