import {
  getArrayCodec,
  getI128Codec,
  getI32Codec,
  getStructCodec,
  getU128Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
} from '@solana/codecs'
import { anchorAccount, publicKey } from './codecs.ts'

// Accounts of Raydium's program of concentrated liquidity, up to what a reading needs:
// https://github.com/raydium-io/raydium-clmm

const REWARDS = 3
export const TICKS_OF_ARRAY = 60

export const ammConfig = anchorAccount(
  'AmmConfig',
  getStructCodec([
    ['bump', getU8Codec()],
    ['index', getU16Codec()],
    ['owner', publicKey()],
    ['protocolFeeRate', getU32Codec()],
    // hundredths of a basis point
    ['tradeFeeRate', getU32Codec()],
  ]),
)

export const poolState = anchorAccount(
  'PoolState',
  getStructCodec([
    ['bump', getU8Codec()],
    ['ammConfig', publicKey()],
    ['creator', publicKey()],
    ['tokenMint0', publicKey()],
    ['tokenMint1', publicKey()],
    ['tokenVault0', publicKey()],
    ['tokenVault1', publicKey()],
    ['observation', publicKey()],
    ['mintDecimals0', getU8Codec()],
    ['mintDecimals1', getU8Codec()],
    ['tickSpacing', getU16Codec()],
    ['liquidity', getU128Codec()],
    ['sqrtPriceX64', getU128Codec()],
    ['tickCurrent', getI32Codec()],
    ['reserved1', getU32Codec()],
    ['feeGrowthGlobal0X64', getU128Codec()],
    ['feeGrowthGlobal1X64', getU128Codec()],
    ['protocolFees0', getU64Codec()],
    ['protocolFees1', getU64Codec()],
    ['reserved2', getArrayCodec(getU128Codec(), { size: 4 })],
    ['status', getU8Codec()],
    ['feeOn', getU8Codec()],
    ['reserved3', getArrayCodec(getU8Codec(), { size: 6 })],
    [
      'rewardInfos',
      getArrayCodec(
        getStructCodec([
          ['state', getU8Codec()],
          // seconds
          ['openTime', getU64Codec()],
          ['endTime', getU64Codec()],
          ['lastUpdateTime', getU64Codec()],
          ['emissionsPerSecondX64', getU128Codec()],
          ['totalEmitted', getU64Codec()],
          ['claimed', getU64Codec()],
          ['mint', publicKey()],
          ['vault', publicKey()],
          ['authority', publicKey()],
          ['growthGlobalX64', getU128Codec()],
        ]),
        { size: REWARDS },
      ),
    ],
  ]),
)

export const personalPosition = anchorAccount(
  'PersonalPositionState',
  getStructCodec([
    ['bump', getU8Codec()],
    ['nftMint', publicKey()],
    ['poolId', publicKey()],
    ['tickLowerIndex', getI32Codec()],
    ['tickUpperIndex', getI32Codec()],
    ['liquidity', getU128Codec()],
    ['feeGrowthInside0LastX64', getU128Codec()],
    ['feeGrowthInside1LastX64', getU128Codec()],
    ['tokenFeesOwed0', getU64Codec()],
    ['tokenFeesOwed1', getU64Codec()],
    [
      'rewardInfos',
      getArrayCodec(
        getStructCodec([
          ['growthInsideLastX64', getU128Codec()],
          ['rewardAmountOwed', getU64Codec()],
        ]),
        { size: REWARDS },
      ),
    ],
  ]),
)

export const tickArrayState = anchorAccount(
  'TickArrayState',
  getStructCodec([
    ['poolId', publicKey()],
    ['startTickIndex', getI32Codec()],
    [
      'ticks',
      getArrayCodec(
        getStructCodec([
          ['tick', getI32Codec()],
          ['liquidityNet', getI128Codec()],
          ['liquidityGross', getU128Codec()],
          ['feeGrowthOutside0X64', getU128Codec()],
          ['feeGrowthOutside1X64', getU128Codec()],
          ['rewardGrowthsOutsideX64', getArrayCodec(getU128Codec(), { size: REWARDS })],
          ['reserved', getArrayCodec(getU32Codec(), { size: 13 })],
        ]),
        { size: TICKS_OF_ARRAY },
      ),
    ],
  ]),
)
