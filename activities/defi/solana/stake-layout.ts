import {
  getArrayCodec,
  getDiscriminatedUnionCodec,
  getI64Codec,
  getStructCodec,
  getTupleCodec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
  getUnitCodec,
} from '@solana/codecs'
import { publicKey } from './codecs.ts'

// Accounts of the stake program and the sysvar that it reads: https://github.com/solana-program/stake

export const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111'
export const STAKE_ACCOUNT_BYTES = 200
/** After the kind, the reserve for rent and the staker. */
export const WITHDRAWER_OFFSET = 4 + 8 + 32
export const STAKE_HISTORY = 'SysvarStakeHistory1111111111111111111111111'
export const SYSVARS = 'Sysvar1111111111111111111111111111111111111'

const meta = () =>
  [
    ['rentExemptReserve', getU64Codec()],
    ['staker', publicKey()],
    ['withdrawer', publicKey()],
    // seconds
    ['lockedUntil', getI64Codec()],
    ['lockedUntilEpoch', getU64Codec()],
    ['custodian', publicKey()],
  ] as const

export const stakeAccount = getDiscriminatedUnionCodec(
  [
    ['Uninitialized', getUnitCodec()],
    ['Initialized', getStructCodec([...meta()])],
    [
      'Stake',
      getStructCodec([
        ...meta(),
        ['voter', publicKey()],
        ['stake', getU64Codec()],
        ['activationEpoch', getU64Codec()],
        ['deactivationEpoch', getU64Codec()],
        ['reserved', getU64Codec()],
        ['creditsObserved', getU64Codec()],
        ['flags', getU8Codec()],
      ]),
    ],
  ],
  { size: getU32Codec() },
)

/** Stake of the whole cluster in one epoch, in lamports. */
export interface ClusterStake {
  effective: bigint
  activating: bigint
  deactivating: bigint
}

/** The cluster's stake by epoch, of the last 512 epochs. */
export const stakeHistory = getArrayCodec(
  getTupleCodec([
    getU64Codec(),
    getStructCodec([
      ['effective', getU64Codec()],
      ['activating', getU64Codec()],
      ['deactivating', getU64Codec()],
    ]),
  ]),
  { size: getU64Codec() },
)
