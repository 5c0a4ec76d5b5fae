import { getStructCodec, getU32Codec, getU64Codec, getU8Codec } from '@solana/codecs'
import { publicKey } from './codecs.ts'

// Accounts of Marinade, from the IDL in @marinade.finance/marinade-ts-sdk.

const list = () =>
  getStructCodec([
    ['account', publicKey()],
    ['itemSize', getU32Codec()],
    ['count', getU32Codec()],
    ['reserved1', publicKey()],
    ['reserved2', getU32Codec()],
  ])

/** The beginning of the state's account. */
export const marinadeState = getStructCodec([
  ['discriminator', getU64Codec()],
  ['msolMint', publicKey()],
  ['adminAuthority', publicKey()],
  ['operationalSolAccount', publicKey()],
  ['treasuryMsolAccount', publicKey()],
  ['reserveBumpSeed', getU8Codec()],
  ['msolMintAuthorityBumpSeed', getU8Codec()],
  ['rentExemptForTokenAcc', getU64Codec()],
  ['rewardFee', getU32Codec()],
  ['stakeList', list()],
  ['delayedUnstakeCoolingDown', getU64Codec()],
  ['stakeDepositBumpSeed', getU8Codec()],
  ['stakeWithdrawBumpSeed', getU8Codec()],
  ['slotsForStakeDelta', getU64Codec()],
  ['lastStakeDeltaEpoch', getU64Codec()],
  ['minStake', getU64Codec()],
  ['extraStakeDeltaRuns', getU32Codec()],
  ['validatorList', list()],
  ['managerAuthority', publicKey()],
  ['totalValidatorScore', getU32Codec()],
  ['totalActiveBalance', getU64Codec()],
  ['autoAddValidatorEnabled', getU8Codec()],
  ['lpMint', publicKey()],
  ['lpMintAuthorityBumpSeed', getU8Codec()],
  ['solLegBumpSeed', getU8Codec()],
  ['msolLegAuthorityBumpSeed', getU8Codec()],
  ['msolLeg', publicKey()],
  ['lpLiquidityTarget', getU64Codec()],
  ['lpMaxFee', getU32Codec()],
  ['lpMinFee', getU32Codec()],
  ['treasuryCut', getU32Codec()],
  ['lpSupply', getU64Codec()],
  ['lentFromSolLeg', getU64Codec()],
  ['liquiditySolCap', getU64Codec()],
  ['availableReserveBalance', getU64Codec()],
  ['msolSupply', getU64Codec()],
  ['msolPrice', getU64Codec()],
])

/** An unstake that waits, or is to be claimed. */
export const ticketAccount = getStructCodec([
  ['discriminator', getU64Codec()],
  ['stateAddress', publicKey()],
  ['beneficiary', publicKey()],
  ['lamportsAmount', getU64Codec()],
  ['createdEpoch', getU64Codec()],
])

/** After the discriminator and the state. */
export const BENEFICIARY_OFFSET = 8 + 32
