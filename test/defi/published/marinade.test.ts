import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { base58 } from '@scure/base'
import {
  type Encoder,
  getBooleanEncoder,
  getStructEncoder,
  getU32Encoder,
  getU64Encoder,
  getU8Encoder,
  getAddressEncoder,
} from '@solana/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MARINADE, marinade, marinadeTickets } from '../../../activities/defi/solana/marinade.ts'
import { keyOf } from '../../../sandbox/solana/tokens.ts'
import { runs } from '../../setup/runs.ts'
import { readSolana, type SolanaState } from '../solana-reader.ts'

// Accounts are encoded by the IDL of Marinade's SDK, and tickets are due when the SDK says.

interface Field {
  name: string
  type: string | { defined: string }
}
interface Named {
  name: string
  type: { kind: string; fields: Field[] }
}
const SDK = '../../../node_modules/@marinade.finance/marinade-ts-sdk/dist/src'
const require = createRequire(import.meta.url)
const { IDL } = require(`${SDK}/programs/idl/types/marinade_finance.js`) as {
  IDL: { accounts: Named[]; types: Named[] }
}
const { getTicketDateInfo } = require(`${SDK}/util/ticket-date-info.js`) as {
  getTicketDateInfo: (
    epoch: { epoch: number; msElapsed: number; avgSlotDuration: number; slotsInEpoch: number },
    createdEpoch: number,
    nowMs: number,
  ) => { ticketDue: boolean; ticketDueDate: Date }
}

const SIMPLE: Record<string, () => Encoder<any>> = {
  publicKey: getAddressEncoder,
  u8: getU8Encoder,
  u32: getU32Encoder,
  u64: getU64Encoder,
  bool: getBooleanEncoder,
}
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const publicKeys = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => base58.encode(bytes))
const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  publicKey: publicKeys,
  u8: fc.nat(255),
  u32: fc.nat(2 ** 32 - 1),
  u64,
  bool: fc.boolean(),
}

const typeNamed = (name: string) => IDL.types.find((one) => one.name === name)!
/** Fields behind the first enum are not fixed in size, and nothing here is read after them. */
const fixed = ({ type }: Named): Field[] => {
  const isEnum = ({ type: of }: Field) => typeof of !== 'string' && typeNamed(of.defined).type.kind === 'enum'
  const end = type.fields.findIndex(isEnum)
  return end < 0 ? type.fields : type.fields.slice(0, end)
}
const encoderOf = (of: Named): Encoder<any> =>
  getStructEncoder(
    fixed(of).map(({ name, type }): [string, Encoder<any>] => [
      name,
      typeof type === 'string' ? SIMPLE[type]!() : encoderOf(typeNamed(type.defined)),
    ]),
  )
const valuesOf = (of: Named): fc.Arbitrary<Record<string, any>> =>
  fc.record(
    Object.fromEntries(
      fixed(of).map(({ name, type }) => [
        name,
        typeof type === 'string' ? VALUES[type]! : valuesOf(typeNamed(type.defined)),
      ]),
    ),
  )

const account = (name: string) => IDL.accounts.find((one) => one.name === name)!
/** As Anchor stores it: after eight bytes of a hash of its name. */
function stored(name: string, value: Record<string, any>): Uint8Array {
  const title = `${name[0]!.toUpperCase()}${name.slice(1)}`
  const hash = createHash('sha256').update(`account:${title}`).digest()
  return Buffer.concat([hash.subarray(0, 8), new Uint8Array(encoderOf(account(name)).encode(value))])
}

const OWNER = keyOf('owner')
const NOW_S = 1_772_000_000
const NODE = { slot: 1, epoch: 700, slotIndex: 100_000, slotsInEpoch: 432_000, time: NOW_S }
const { program, state, msol } = MARINADE
const read = (of: typeof marinade, change: Partial<SolanaState>) =>
  readSolana(of, { account: OWNER, ...NODE, accounts: [], ...change })

test('mSOL is SOL at the price of the state', async () => {
  await fc.assert(
    fc.asyncProperty(valuesOf(account('state')), u64, async (value, tokens) => {
      const data = stored('state', { ...value, msolMint: msol })
      const { positions } = await read(marinade, {
        tokens: { [msol]: tokens },
        accounts: [{ address: state, owner: program, lamports: 1n, data }],
      })
      const raw = (tokens * value['msolPrice']) / 4_294_967_296n
      const assets = positions.map((one) => one.assets)
      expect(assets).toEqual(raw === 0n ? [] : [[{ role: 'staked', token: null, raw }]])
      expect(positions.every(({ id, poolAddress }) => id === msol && poolAddress === state)).toBe(true)
    }),
    { numRuns: runs({ short: 100, long: 5_000 }) },
  )
})

test('a state of another token or program leaves mSOL unknown', async () => {
  const [value] = fc.sample(valuesOf(account('state')), { numRuns: 1, seed: 1 })
  const tokens = { [msol]: 5n }
  const at = (owner: string, data: Uint8Array) =>
    read(marinade, { tokens, accounts: [{ address: state, owner, lamports: 1n, data }] })
  await expect(at(program, stored('state', value!))).rejects.toThrow('is no state of mSOL')
  await expect(at(OWNER, stored('state', { ...value, msolMint: msol }))).rejects.toThrow('belongs to')
  await expect(read(marinade, { tokens })).rejects.toThrow('no account')
  expect(await read(marinade, {})).toEqual({ positions: [], unknown: [] })
})

const ticket = (
  name: string,
  of: { lamportsAmount: bigint; createdEpoch: bigint; beneficiary?: string },
) => ({
  address: keyOf(name),
  owner: program,
  lamports: 1_503_360n,
  data: stored('ticketAccountData', { stateAddress: state, beneficiary: OWNER, ...of }),
})

test("a ticket waits until the SDK's time, and is then to be claimed", async () => {
  const { slotIndex, slotsInEpoch, epoch } = NODE
  const times = { epoch, msElapsed: slotIndex * 400, avgSlotDuration: 400, slotsInEpoch }
  await fc.assert(
    fc.asyncProperty(u64, fc.bigInt({ min: 690n, max: 701n }), async (lamportsAmount, createdEpoch) => {
      const amount = lamportsAmount + 1n > 2n ** 64n - 1n ? 1n : lamportsAmount + 1n
      const { positions } = await read(marinadeTickets, {
        tokens: { [msol]: 0n },
        accounts: [ticket('own', { lamportsAmount: amount, createdEpoch })],
      })
      const due = getTicketDateInfo(times, Number(createdEpoch), NOW_S * 1_000)
      expect(positions).toMatchObject([
        {
          id: keyOf('own'),
          poolAddress: state,
          unlockAt: due.ticketDue ? null : due.ticketDueDate,
          assets: [{ role: due.ticketDue ? 'claimable' : 'withdrawing', token: null, raw: amount }],
        },
      ])
    }),
    { numRuns: runs({ short: 50, long: 2_000 }) },
  )
})

test("only the account's own tickets are read, and only if mSOL came to it", async () => {
  const accounts = [
    ticket('own', { lamportsAmount: 5n, createdEpoch: 600n }),
    ticket('other', { lamportsAmount: 6n, createdEpoch: 600n, beneficiary: keyOf('other owner') }),
  ]
  const { positions } = await read(marinadeTickets, { tokens: { [msol]: 0n }, accounts })
  expect(positions.map(({ id }) => id)).toEqual([keyOf('own')])
  expect(await read(marinadeTickets, { accounts })).toEqual({ positions: [], unknown: [] })
})

test('a node that does not list the accounts of a program leaves the tickets unknown', async () => {
  const asked = read(marinadeTickets, { tokens: { [msol]: 1n }, refused: [program] })
  await expect(asked).rejects.toMatchObject({ name: 'SourceRejected', message: /have been disabled/ })
})
