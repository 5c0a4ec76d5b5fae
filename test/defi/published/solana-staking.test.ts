import {
  type Address,
  appendTransactionMessageInstruction,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  lamports as toLamports,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import {
  getStakeStateAccountEncoder,
  getWithdrawInstruction,
  type StakeStateV2Args,
} from '@solana-program/stake'
import fc from 'fast-check'
import { Clock, LiteSVM, SimulatedTransactionInfo, StakeHistory, StakeHistoryEntry } from 'litesvm'
import { expect, test } from 'vitest'
import { nativeStaking } from '../../../activities/defi/solana/native-staking.ts'
import { keyOf } from '../../../sandbox/solana/tokens.ts'
import { runs } from '../../setup/runs.ts'
import { readSolana, sumOf } from '../solana-reader.ts'

// The stake program as the cluster runs it, of litesvm. Accounts are encoded by the program's own client.

const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111' as Address
const STAKE_HISTORY = 'SysvarStakeHistory1111111111111111111111111' as Address
const key = (name: string) => keyOf(name) as Address
const [OWNER, OTHER, RECIPIENT, VOTER, STAKE] = ['owner', 'other', 'recipient', 'voter', 'stake'].map(
  key,
) as [Address, Address, Address, Address, Address]
const NEVER = 2n ** 64n - 1n
const RESERVE = 2_282_880n
const SOL = 10n ** 9n
const NOW_S = 1_772_000_000n
const SLOTS = { slotIndex: 100_000, slotsInEpoch: 432_000 }

interface Case {
  epoch: bigint
  /** the cluster's stake in the epochs before */
  history: { effective: bigint; activating: bigint; deactivating: bigint }[]
  /** null: initialised only */
  delegation: { stake: bigint; activationEpoch: bigint; deactivationEpoch: bigint } | null
  /** lamports beside the stake and the reserve */
  more: bigint
  lockup: { unixTimestamp: bigint; epoch: bigint; custodian: Address }
}

const NO_LOCKUP = { unixTimestamp: 0n, epoch: 0n, custodian: OTHER }

function encoded({ delegation, lockup }: Case): Uint8Array {
  const meta = {
    rentExemptReserve: RESERVE,
    authorized: { staker: OTHER, withdrawer: OWNER },
    lockup,
  }
  const state: StakeStateV2Args = delegation
    ? {
        __kind: 'Stake',
        fields: [
          meta,
          {
            delegation: { voterPubkey: VOTER, ...delegation, reserved: Array.from({ length: 8 }, () => 0) },
            creditsObserved: 7n,
          },
          { bits: 0 },
        ],
      }
    : { __kind: 'Initialized', fields: [meta] }
  const data = new Uint8Array(200)
  data.set(getStakeStateAccountEncoder().encode({ state }))
  return data
}

const lamportsOf = ({ delegation, more }: Case) => RESERVE + (delegation?.stake ?? 0n) + more

/** The program in the state of a case. */
function programAt(of: Case): LiteSVM {
  const svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false)
  for (const one of [OWNER, RECIPIENT]) svm.airdrop(one, toLamports(SOL))
  svm.setClock(new Clock(0n, 0n, of.epoch, of.epoch, NOW_S))
  const history = new StakeHistory()
  of.history.forEach(({ effective, activating, deactivating }, i) =>
    history.add(
      of.epoch - BigInt(of.history.length - i),
      new StakeHistoryEntry(effective, activating, deactivating),
    ),
  )
  svm.setStakeHistory(history)
  svm.setAccount({
    address: STAKE,
    programAddress: STAKE_PROGRAM,
    lamports: toLamports(lamportsOf(of)),
    data: encoded(of),
    executable: false,
    space: 200n,
  })
  return svm
}

function pays(svm: LiteSVM, amount: bigint): boolean {
  const withdraw = getWithdrawInstruction({
    stake: STAKE,
    recipient: RECIPIENT,
    withdrawAuthority: createNoopSigner(OWNER),
    lockupAuthority: createNoopSigner(OWNER),
    args: amount,
  })
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayer(OWNER, one),
    (one) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: svm.latestBlockhash(), lastValidBlockHeight: 0n },
        one,
      ),
    (one) => appendTransactionMessageInstruction(withdraw, one),
  )
  return svm.simulateTransaction(compileTransaction(message)) instanceof SimulatedTransactionInfo
}

async function read(of: Case, svm: LiteSVM) {
  const history = svm.getAccount(STAKE_HISTORY)
  if (!history.exists) throw new Error('no history')
  const { positions, unknown } = await readSolana(nativeStaking, {
    account: OWNER,
    slot: 300_000_000,
    epoch: Number(of.epoch),
    time: Number(NOW_S),
    ...SLOTS,
    accounts: [
      { address: STAKE, owner: STAKE_PROGRAM, lamports: lamportsOf(of), data: encoded(of) },
      { address: STAKE_HISTORY, owner: history.programAddress, lamports: 1n, data: history.data },
    ],
  })
  expect(unknown).toEqual([])
  return positions
}

const amount = fc.bigInt({ min: 1n, max: 400_000_000n * SOL })
const clusterStake = fc.record({
  effective: amount,
  activating: fc.oneof(fc.constant(0n), amount),
  deactivating: fc.oneof(fc.constant(0n), amount),
})
const cases = fc
  .record({
    epoch: fc.bigInt({ min: 20n, max: 900n }),
    history: fc.array(clusterStake, { maxLength: 8 }),
    startedAgo: fc.bigInt({ min: 0n, max: 9n }),
    lasted: fc.option(fc.bigInt({ min: 0n, max: 9n })),
    stake: fc.bigInt({ min: SOL, max: 1_000_000n * SOL }),
    isDelegated: fc.boolean(),
    more: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 3n * SOL })),
    lockup: fc.oneof(
      { weight: 4, arbitrary: fc.constant(NO_LOCKUP) },
      fc.record({
        unixTimestamp: fc.bigInt({ min: NOW_S - 5n, max: NOW_S + 5n }),
        epoch: fc.bigInt({ min: 15n, max: 905n }),
        custodian: fc.constantFrom(OWNER, OTHER),
      }),
    ),
  })
  .map(({ startedAgo, lasted, stake, isDelegated, ...rest }): Case => {
    const activationEpoch = rest.epoch - startedAgo
    const ended = lasted === null ? NEVER : activationEpoch + lasted
    // It ends at most in the current epoch.
    const deactivationEpoch = ended === NEVER || ended <= rest.epoch ? ended : rest.epoch
    // What the account starts or ends is part of what the cluster does.
    const withOwn = (other: bigint) => (other === 0n ? 0n : other + stake)
    const history = rest.history.map(({ effective, activating, deactivating }) => ({
      effective,
      activating: withOwn(activating),
      deactivating: withOwn(deactivating),
    }))
    return {
      ...rest,
      history,
      delegation: isDelegated ? { stake, activationEpoch, deactivationEpoch } : null,
    }
  })

test('what may be withdrawn is what the program pays, to the lamport, in any state', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (of) => {
      const svm = programAt(of)
      const [position] = await read(of, svm)
      const claimable = sumOf(position!, 'claimable')
      // The program lets nobody take more, and keeps the account's reserve while something is staked.
      if (claimable > 0n) expect(pays(svm, claimable)).toBe(true)
      expect(pays(svm, claimable + 1n)).toBe(false)
      const total = position!.assets.reduce((sum, { raw }) => sum + raw, 0n)
      expect(total).toBe(lamportsOf(of))
      expect(position!.assets.every(({ token }) => token === null)).toBe(true)
    }),
    { numRuns: runs({ short: 60, long: 3_000 }) },
  )
})

const HISTORY = Array.from({ length: 5 }, () => ({
  effective: 380_000_000n * SOL,
  activating: 1_000_000n * SOL,
  deactivating: 900_000n * SOL,
}))
const staked = (activationEpoch: bigint, deactivationEpoch = NEVER) => ({
  stake: 50n * SOL,
  activationEpoch,
  deactivationEpoch,
})
const at = async (delegation: Case['delegation'], change: Partial<Case> = {}) => {
  const of = { epoch: 700n, history: HISTORY, delegation, more: 0n, lockup: NO_LOCKUP, ...change }
  const [position] = await read(of, programAt(of))
  return position!
}
/** 332,000 slots of 400 ms are left. */
const END = new Date(Number(NOW_S) * 1_000 + 332_000 * 400)

test('an account is activating, active, deactivating until the end of its last epoch, then inactive', async () => {
  const whole = 50n * SOL + RESERVE
  expect(await at(staked(700n))).toMatchObject({
    id: STAKE,
    name: 'Activating stake',
    poolAddress: VOTER,
    unlockAt: null,
    assets: [{ role: 'staked', token: null, raw: whole }],
  })
  expect(await at(staked(690n), { more: 5n })).toMatchObject({
    name: 'Active stake',
    unlockAt: null,
    assets: [
      { role: 'staked', raw: whole },
      { role: 'claimable', raw: 5n },
    ],
  })
  expect(await at(staked(690n, 700n))).toMatchObject({
    name: 'Deactivating stake',
    unlockAt: END,
    assets: [{ role: 'withdrawing', raw: whole }],
  })
  expect(await at(staked(690n, 699n))).toMatchObject({
    name: 'Inactive stake',
    unlockAt: null,
    assets: [{ role: 'claimable', raw: whole }],
  })
  expect(await at(null)).toMatchObject({ name: 'Inactive stake', poolAddress: STAKE })
})

test('a lockup in force locks everything until its end, by time or by epoch, for all but its custodian', async () => {
  const locked = (change: Partial<Case['lockup']>) =>
    at(staked(690n), { lockup: { ...NO_LOCKUP, ...change }, more: 5n })
  const whole = 50n * SOL + RESERVE + 5n
  expect(await locked({ unixTimestamp: NOW_S + 9n })).toMatchObject({
    unlockAt: new Date(Number(NOW_S + 9n) * 1_000),
    assets: [{ role: 'locked', raw: whole }],
  })
  expect((await locked({ epoch: 701n })).unlockAt).toEqual(END)
  expect((await locked({ unixTimestamp: 2n ** 62n })).unlockAt).toEqual(new Date('9999-12-31T00:00:00Z'))
  expect((await locked({ unixTimestamp: NOW_S + 9n, custodian: OWNER })).unlockAt).toBeNull()
})

test('accounts that are in use are in the order of their addresses, whatever the order of the node', async () => {
  const of: Case = { epoch: 700n, history: HISTORY, delegation: staked(690n), more: 0n, lockup: NO_LOCKUP }
  const history = programAt(of).getAccount(STAKE_HISTORY)
  if (!history.exists) throw new Error('no history')
  const addresses = ['one', 'two', 'three', 'four'].map(key)
  const own = addresses.map((address) => {
    return { address, owner: STAKE_PROGRAM, lamports: lamportsOf(of), data: encoded(of) }
  })
  // An account that was closed, of which only the bytes of its withdrawer are left.
  const closed = { ...own[0]!, address: key('closed'), data: encoded(of).fill(0, 0, 4) }
  const shared = { address: STAKE_HISTORY, owner: history.programAddress, lamports: 1n, data: history.data }
  for (const accounts of [own, own.toReversed()]) {
    const { positions } = await readSolana(nativeStaking, {
      account: OWNER,
      slot: 300_000_000,
      epoch: 700,
      time: Number(NOW_S),
      ...SLOTS,
      accounts: [...accounts, closed, shared],
    })
    expect(positions.map(({ id }) => id)).toEqual(addresses.toSorted())
  }
})
