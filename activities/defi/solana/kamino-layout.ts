import {
  fixCodecSize,
  getArrayCodec,
  getBytesCodec,
  getStructCodec,
  getTupleCodec,
  getU128Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
  getUtf8Codec,
} from '@solana/codecs'
import { anchorAccount, publicKey } from './codecs.ts'

// Accounts of Kamino Lend, up to what a reading needs: https://github.com/Kamino-Finance/klend. Names that end in Sf are
// fractions with 60 fractional bits.

const reserved = (size: number) => fixCodecSize(getBytesCodec(), size)
/** 256 bits with 60 fractional ones, as four words from the least. */
const bigFraction = () =>
  getStructCodec([
    ['words', getTupleCodec([getU64Codec(), getU64Codec(), getU64Codec(), getU64Codec()])],
    ['reserved', reserved(16)],
  ])
const lastUpdate = () =>
  getStructCodec([
    ['slot', getU64Codec()],
    ['flags', reserved(8)],
  ])

export const OBLIGATION_BYTES = 3_344
/** After the discriminator, the tag, the last update and the market. */
export const OWNER_OFFSET = 8 + 8 + 16 + 32

export const obligation = anchorAccount(
  'Obligation',
  getStructCodec([
    ['tag', getU64Codec()],
    ['lastUpdate', lastUpdate()],
    ['lendingMarket', publicKey()],
    ['owner', publicKey()],
    [
      'deposits',
      getArrayCodec(
        getStructCodec([
          ['reserve', publicKey()],
          // of the reserve's own token
          ['amount', getU64Codec()],
          ['reserved', reserved(96)],
        ]),
        { size: 8 },
      ),
    ],
    ['reserved1', reserved(24)],
    [
      'borrows',
      getArrayCodec(
        getStructCodec([
          ['reserve', publicKey()],
          ['cumulativeRate', bigFraction()],
          ['borrowedAt', getU64Codec()],
          ['amountSf', getU128Codec()],
          ['reserved', reserved(96)],
        ]),
        { size: 5 },
      ),
    ],
    ['reserved2', reserved(77)],
    // 0: none
    ['elevationGroup', getU8Codec()],
  ]),
)

export const reserve = anchorAccount(
  'Reserve',
  getStructCodec([
    ['version', getU64Codec()],
    ['lastUpdate', lastUpdate()],
    ['lendingMarket', publicKey()],
    ['farms', reserved(64)],
    ['mint', publicKey()],
    ['vaults', reserved(64)],
    ['available', getU64Codec()],
    ['borrowedSf', getU128Codec()],
    ['priceSf', getU128Codec()],
    ['pricedAt', getU64Codec()],
    ['mintDecimals', getU64Codec()],
    ['limitsCrossedAt', reserved(16)],
    ['cumulativeRate', bigFraction()],
    ['protocolFeesSf', getU128Codec()],
    ['referrerFeesSf', getU128Codec()],
    ['pendingReferrerFeesSf', getU128Codec()],
    ['reserved1', reserved(16 + 32 + 8 + 400 + 512 + 1_200)],
    ['collateralMint', publicKey()],
    ['collateralSupply', getU64Codec()],
    ['reserved2', reserved(32 + 1_024 + 1_200)],
    ['status', getU8Codec()],
    ['reserved3', getU8Codec()],
    ['fixedRateBps', getU16Codec()],
    ['reserved4', reserved(10)],
    ['protocolTakePct', getU8Codec()],
    ['liquidationFeePct', getU8Codec()],
    ['loanToValuePct', getU8Codec()],
    ['liquidationThresholdPct', getU8Codec()],
    ['reserved5', reserved(6 + 16 + 24)],
    [
      'rateCurve',
      getArrayCodec(
        getStructCodec([
          ['utilizationBps', getU32Codec()],
          ['rateBps', getU32Codec()],
        ]),
        { size: 11 },
      ),
    ],
    ['borrowFactorPct', getU64Codec()],
  ]),
)

export const lendingMarket = anchorAccount(
  'LendingMarket',
  getStructCodec([
    ['version', getU64Codec()],
    ['reserved1', reserved(8 + 64 + 32)],
    ['referralFeeBps', getU16Codec()],
    ['reserved2', reserved(6 + 16 + 8 + 8 + 32 + 8)],
    [
      'elevationGroups',
      getArrayCodec(
        getStructCodec([
          ['maxBonusBps', getU16Codec()],
          ['id', getU8Codec()],
          ['loanToValuePct', getU8Codec()],
          ['liquidationThresholdPct', getU8Codec()],
          ['reserved', reserved(3 + 32 + 32)],
        ]),
        { size: 32 },
      ),
    ],
    ['reserved3', reserved(720 + 16 + 8)],
    ['name', fixCodecSize(getUtf8Codec(), 32)],
  ]),
)
