import {
  fixCodecSize,
  getArrayCodec,
  getBytesCodec,
  getI128Codec,
  getI32Codec,
  getNullableCodec,
  getStructCodec,
  getU128Codec,
  getU16Codec,
  getU64Codec,
  getU8Codec,
} from '@solana/codecs'
import { anchorAccount, publicKey } from './codecs.ts'

// Accounts of the Whirlpools program: https://github.com/orca-so/whirlpools

const REWARDS = 3
export const TICKS_OF_ARRAY = 88

export const whirlpool = anchorAccount(
  'Whirlpool',
  getStructCodec([
    ['whirlpoolsConfig', publicKey()],
    ['whirlpoolBump', getU8Codec()],
    ['tickSpacing', getU16Codec()],
    ['feeTierIndexSeed', getU16Codec()],
    // hundredths of a basis point
    ['feeRate', getU16Codec()],
    ['protocolFeeRate', getU16Codec()],
    ['liquidity', getU128Codec()],
    ['sqrtPrice', getU128Codec()],
    ['tickCurrentIndex', getI32Codec()],
    ['protocolFeeOwedA', getU64Codec()],
    ['protocolFeeOwedB', getU64Codec()],
    ['tokenMintA', publicKey()],
    ['tokenVaultA', publicKey()],
    ['feeGrowthGlobalA', getU128Codec()],
    ['tokenMintB', publicKey()],
    ['tokenVaultB', publicKey()],
    ['feeGrowthGlobalB', getU128Codec()],
    // seconds
    ['rewardLastUpdatedTimestamp', getU64Codec()],
    [
      'rewardInfos',
      getArrayCodec(
        getStructCodec([
          ['mint', publicKey()],
          ['vault', publicKey()],
          ['extension', publicKey()],
          ['emissionsPerSecondX64', getU128Codec()],
          ['growthGlobalX64', getU128Codec()],
        ]),
        { size: REWARDS },
      ),
    ],
  ]),
)

export const whirlpoolPosition = anchorAccount(
  'Position',
  getStructCodec([
    ['whirlpool', publicKey()],
    ['positionMint', publicKey()],
    ['liquidity', getU128Codec()],
    ['tickLowerIndex', getI32Codec()],
    ['tickUpperIndex', getI32Codec()],
    ['feeGrowthCheckpointA', getU128Codec()],
    ['feeOwedA', getU64Codec()],
    ['feeGrowthCheckpointB', getU128Codec()],
    ['feeOwedB', getU64Codec()],
    [
      'rewardInfos',
      getArrayCodec(
        getStructCodec([
          ['growthInsideCheckpoint', getU128Codec()],
          ['amountOwed', getU64Codec()],
        ]),
        { size: REWARDS },
      ),
    ],
  ]),
)

/** Up to 256 positions under one NFT: the least bit of the first byte says whether the first is open. */
export const positionBundle = anchorAccount(
  'PositionBundle',
  getStructCodec([
    ['positionBundleMint', publicKey()],
    ['positionBitmap', fixCodecSize(getBytesCodec(), 32)],
  ]),
)

const tick = getStructCodec([
  ['liquidityNet', getI128Codec()],
  ['liquidityGross', getU128Codec()],
  ['feeGrowthOutsideA', getU128Codec()],
  ['feeGrowthOutsideB', getU128Codec()],
  ['rewardGrowthsOutside', getArrayCodec(getU128Codec(), { size: REWARDS })],
])

/** Ticks that are not in use are null. */
export const fixedTickArray = anchorAccount(
  'TickArray',
  getStructCodec([
    ['startTickIndex', getI32Codec()],
    ['ticks', getArrayCodec(getNullableCodec(tick, { noneValue: 'zeroes' }), { size: TICKS_OF_ARRAY })],
    ['whirlpool', publicKey()],
  ]),
)
export const dynamicTickArray = anchorAccount(
  'DynamicTickArray',
  getStructCodec([
    ['startTickIndex', getI32Codec()],
    ['whirlpool', publicKey()],
    ['tickBitmap', getU128Codec()],
    ['ticks', getArrayCodec(getNullableCodec(tick), { size: TICKS_OF_ARRAY })],
  ]),
)
