import { MARINADE } from '../../activities/defi/solana/marinade.ts'
import { marinadeState, ticketAccount } from '../../activities/defi/solana/marinade-layout.ts'
import {
  STAKE_ACCOUNT_BYTES,
  STAKE_HISTORY,
  STAKE_PROGRAM,
  stakeAccount,
  stakeHistory,
  SYSVARS,
} from '../../activities/defi/solana/stake-layout.ts'
import { STAKE_POOL_PROGRAMS, STAKE_POOLS } from '../../activities/defi/solana/stake-pool-list.ts'
import { stakePool } from '../../activities/defi/solana/stake-pools.ts'
import { staker } from './actors.ts'
import { type Changes, createLedger, type SolanaTx } from './ledger.ts'
import type { ProgramAccount } from './program-accounts.ts'
import { jitoSol, keyOf, mSol, type SolanaToken } from './tokens.ts'

const sol = 10n ** 9n
const hour = 3_600
const day = 24 * hour
const never = 2n ** 64n - 1n
/** What a stake account of 200 bytes must hold, in lamports. */
const reserve = 2_282_880n
const nobody = '11111111111111111111111111111111'
const voter = keyOf('validator')
/** Gives the staker SOL, and staked SOL for it. Its balances are no other actor's. */
const market = keyOf('staking market')
const slotsInEpoch = 432_000

/** The epoch of a slot, and the place of the slot in it. */
export const epochOf = (slot: number) => ({
  epoch: Math.floor(slot / slotsInEpoch),
  slotIndex: slot % slotsInEpoch,
  slotsInEpoch,
})

/** Stake accounts of the staker. Times count from the market's anchor. */
const stakes = [
  { address: keyOf('stake active'), lamports: 100n * sol, from: -50 * day, until: null },
  { address: keyOf('stake deactivating'), lamports: 40n * sol, from: -20 * day, until: -hour },
  { address: keyOf('stake ended'), lamports: 10n * sol, from: -20 * day, until: -8 * day },
]
/** Delayed unstakes of the staker. */
const tickets = [
  { address: keyOf('ticket due'), lamports: 7n * sol, at: -10 * day },
  { address: keyOf('ticket waiting'), lamports: 3n * sol, at: -hour },
]
/** What Marinade's ticket account must hold, in lamports. */
const ticketRent = 1_503_360n

/** The staker's transactions. */
export function planStaking({ anchor }: { anchor: number }): SolanaTx[] {
  const ledger = createLedger(new Set([staker, ...[...stakes, ...tickets].map(({ address }) => address)]))
  const at = (seconds: number) => anchor + seconds
  ledger.transact({ at: at(-60 * day), payer: market }, (tx) => {
    tx.lamports(market, -500n * sol)
    tx.lamports(staker, 500n * sol)
  })
  const move = (address: string, lamports: bigint) => (tx: Changes) => {
    tx.lamports(staker, -lamports)
    tx.lamports(address, lamports)
  }
  const swap = (token: SolanaToken, lamports: bigint, tokens: bigint) => (tx: Changes) => {
    tx.lamports(staker, -lamports)
    tx.lamports(market, lamports)
    tx.tokens(market, token, -tokens)
    tx.tokens(staker, token, tokens)
  }
  const acts = [
    ...stakes.map(({ address, lamports, from }) => ({ at: from, act: move(address, lamports + reserve) })),
    { at: -40 * day, act: swap(jitoSol, 60n * sol, 50n * sol) },
    { at: -40 * day, act: swap(mSol, 65n * sol, 50n * sol) },
    ...tickets.map(({ address, at: when }) => ({ at: when, act: move(address, ticketRent) })),
  ]
  for (const { at: when, act } of acts.toSorted((a, b) => a.at - b.at))
    ledger.transact({ at: at(when), payer: staker }, act)
  return ledger.txs
}

/** The accounts whose data programs keep, at a slot. `slotOf`: by time. */
export function programAccountsAt(of: {
  slot: number
  anchor: number
  slotOf: (at: number) => number
}): ProgramAccount[] {
  const { slot, anchor } = of
  const has = (seconds: number) => of.slotOf(anchor + seconds) <= slot
  const epochAt = (seconds: number) => BigInt(epochOf(of.slotOf(anchor + seconds)).epoch)
  const now = BigInt(epochOf(slot).epoch)
  return [
    ...stakes
      .filter(({ from }) => has(from))
      .map(({ address, lamports, from, until }) => ({
        address,
        owner: STAKE_PROGRAM,
        lamports: lamports + reserve,
        data: padded(
          STAKE_ACCOUNT_BYTES,
          stakeAccount.encode({
            __kind: 'Stake',
            rentExemptReserve: reserve,
            staker,
            withdrawer: staker,
            lockedUntil: 0n,
            lockedUntilEpoch: 0n,
            custodian: nobody,
            voter,
            stake: lamports,
            activationEpoch: epochAt(from),
            deactivationEpoch: until !== null && has(until) ? epochAt(until) : never,
            reserved: 0n,
            creditsObserved: 0n,
            flags: 0,
          }),
        ),
      })),
    ...tickets
      .filter(({ at }) => has(at))
      .map(({ address, lamports, at }) => ({
        address,
        owner: MARINADE.program,
        lamports: ticketRent,
        data: new Uint8Array(
          ticketAccount.encode({
            discriminator: 0n,
            stateAddress: MARINADE.state,
            beneficiary: staker,
            lamportsAmount: lamports,
            createdEpoch: epochAt(at),
          }),
        ),
      })),
    { address: STAKE_HISTORY, owner: SYSVARS, lamports: 114_979_200n, data: historyUpTo(now) },
    {
      address: STAKE_POOLS.jito[0]!.pool,
      owner: STAKE_POOL_PROGRAMS[0]!,
      lamports: 5_143_440n,
      data: jitoPool,
    },
    { address: MARINADE.state, owner: MARINADE.program, lamports: 5_616_720n, data: state },
  ]
}

function padded(size: number, bytes: ArrayLike<number>): Uint8Array {
  const data = new Uint8Array(size)
  data.set(bytes)
  return data
}

/** Far more is staked than starts or ends, so that takes one epoch. */
const historyUpTo = (epoch: bigint): Uint8Array =>
  new Uint8Array(
    stakeHistory.encode(
      Array.from({ length: 100 }, (_, i) => [
        epoch - BigInt(i + 1),
        { effective: 400_000_000n * sol, activating: 1_000_000n * sol, deactivating: 1_000_000n * sol },
      ]),
    ),
  )

const jitoPool = padded(
  611,
  stakePool.encode({
    accountType: 1,
    manager: nobody,
    staker: nobody,
    stakeDepositAuthority: nobody,
    stakeWithdrawBumpSeed: 255,
    validatorList: nobody,
    reserveStake: nobody,
    poolMint: jitoSol.mint,
    managerFeeAccount: nobody,
    tokenProgramId: jitoSol.program,
    totalLamports: 15_000_000n * sol,
    poolTokenSupply: 12_000_000n * sol,
  }),
)

const noList = { account: nobody, itemSize: 0, count: 0, reserved1: nobody, reserved2: 0 }
/** One mSOL is 1.375 SOL. */
const state = padded(
  653,
  marinadeState.encode({
    discriminator: 0n,
    msolMint: MARINADE.msol,
    adminAuthority: nobody,
    operationalSolAccount: nobody,
    treasuryMsolAccount: nobody,
    reserveBumpSeed: 0,
    msolMintAuthorityBumpSeed: 0,
    rentExemptForTokenAcc: 2_039_280n,
    rewardFee: 600,
    stakeList: noList,
    delayedUnstakeCoolingDown: 0n,
    stakeDepositBumpSeed: 0,
    stakeWithdrawBumpSeed: 0,
    slotsForStakeDelta: 3_000n,
    lastStakeDeltaEpoch: 0n,
    minStake: sol,
    extraStakeDeltaRuns: 0,
    validatorList: noList,
    managerAuthority: nobody,
    totalValidatorScore: 0,
    totalActiveBalance: 0n,
    autoAddValidatorEnabled: 0,
    lpMint: nobody,
    lpMintAuthorityBumpSeed: 0,
    solLegBumpSeed: 0,
    msolLegAuthorityBumpSeed: 0,
    msolLeg: nobody,
    lpLiquidityTarget: 0n,
    lpMaxFee: 0,
    lpMinFee: 0,
    treasuryCut: 0,
    lpSupply: 0n,
    lentFromSolLeg: 0n,
    liquiditySolCap: 0n,
    availableReserveBalance: 0n,
    msolSupply: 8_000_000n * sol,
    msolPrice: (11n << 32n) / 8n,
  }),
)
