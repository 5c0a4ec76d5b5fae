import { OPEN, type Position, type PositionAsset, nonZero } from '../position.ts'
import { decodeAccount, readAccount } from './codecs.ts'
import { effectiveStake } from './effective-stake.ts'
import type { SolanaProtocol } from './protocol.ts'
import { type ChainAccount, type SlotReader, timeAt } from './slot-reader.ts'
import {
  type ClusterStake,
  STAKE_ACCOUNT_BYTES,
  STAKE_HISTORY,
  STAKE_PROGRAM,
  stakeAccount,
  stakeHistory,
  SYSVARS,
  WITHDRAWER_OFFSET,
} from './stake-layout.ts'

type StakeAccount = ReturnType<typeof stakeAccount.decode>

const NEVER = 2n ** 64n - 1n

/**
 * Stake accounts from which the account may withdraw. All lamports of one count: they left the wallet's balance, and
 * come back when it is closed.
 */
export const nativeStaking: SolanaProtocol = {
  id: 'solana-staking',
  name: 'Solana Staking',
  family: 'Native staking',
  networks: ['solana'],
  async read({ reader, account }) {
    const found = await reader.accountsWith({
      program: STAKE_PROGRAM,
      size: STAKE_ACCOUNT_BYTES,
      key: account,
      offset: WITHDRAWER_OFFSET,
    })
    if (found.length === 0) return { positions: [], unknown: [] }
    const of = { address: STAKE_HISTORY, programs: [SYSVARS], codec: stakeHistory }
    const history = new Map(await readAccount(reader, of))
    const positions = found.flatMap((one) => positionOf(one, { reader, history, owner: account }) ?? [])
    return { positions: positions.toSorted((a, b) => (a.id < b.id ? -1 : 1)), unknown: [] }
  },
}

function positionOf(
  account: ChainAccount,
  of: { reader: SlotReader; history: ReadonlyMap<bigint, ClusterStake>; owner: string },
): Position | null {
  const { reader, history, owner } = of
  const { address: id, lamports } = account
  const state = decodeAccount(account, { address: id, programs: [STAKE_PROGRAM], codec: stakeAccount })
  if (state.__kind === 'Uninitialized') return null
  const { epoch } = reader
  const effective = state.__kind === 'Stake' ? effectiveStake(state, { epoch, history }) : 0n
  const kept = keptOf(state, { epoch, effective })
  const isEnding = state.__kind === 'Stake' && state.deactivationEpoch !== NEVER
  // A custodian may withdraw in spite of a lockup.
  const lockedUntil = state.custodian === owner ? null : lockOf(state, reader)
  const assets: PositionAsset[] = lockedUntil
    ? [{ role: 'locked', token: null, raw: lamports }]
    : [
        { role: isEnding ? 'withdrawing' : 'staked', token: null, raw: kept },
        // Tips and transfers to the account, and stake that has ended.
        { role: 'claimable', token: null, raw: lamports - kept },
      ]
  const status =
    kept === 0n ? 'Inactive' : isEnding ? 'Deactivating' : effective === 0n ? 'Activating' : 'Active'
  return {
    id,
    name: `${status} stake`,
    poolAddress: state.__kind === 'Stake' ? state.voter : id,
    ...OPEN,
    unlockAt: lockedUntil ?? (isEnding && kept > 0n ? reader.startOf(epoch + 1n) : null),
    assets: nonZero(assets),
  }
}

/** Lamports that the program does not pay out now: stake, and the reserve for rent beside it. */
function keptOf(
  state: Exclude<StakeAccount, { __kind: 'Uninitialized' }>,
  { epoch, effective }: { epoch: bigint; effective: bigint },
): bigint {
  if (state.__kind === 'Initialized') return 0n
  const staked = epoch >= state.deactivationEpoch ? effective : state.stake
  return staked === 0n ? 0n : staked + state.rentExemptReserve
}

/** When a lockup ends that is in force; null: there is none. */
function lockOf(
  { lockedUntil, lockedUntilEpoch }: { lockedUntil: bigint; lockedUntilEpoch: bigint },
  { block, epoch, startOf }: SlotReader,
): Date | null {
  const byTime = timeAt(Number(lockedUntil) * 1_000)
  const byEpoch = lockedUntilEpoch > epoch ? startOf(lockedUntilEpoch) : block.at
  const end = byTime > byEpoch ? byTime : byEpoch
  return end > block.at ? end : null
}
