import { expect, test } from 'vitest'
import { NOBODY } from '../../activities/chain/chain-data.ts'
import {
  decodeSolanaTransaction,
  solanaTransaction,
} from '../../activities/chain/sources/solana-transaction.ts'

const WRAPPED = 'So11111111111111111111111111111111111111112'
const [ME, THEM, OTHER] = ['me', 'them', 'other'] as const
const FEE = 5_000
const RENT = 2_039_280

/** Of one account: lamports before and after, and what it holds of a token before and after. */
interface Account {
  key: string
  lamports: [before: number, after: number]
  mint?: string
  before?: [owner: string, amount: number]
  after?: [owner: string, amount: number]
}

const result = (accounts: readonly Account[], meta: object = {}) => {
  const tokens = (side: 'before' | 'after') =>
    accounts.flatMap(({ mint, ...one }, accountIndex) => {
      const [owner, amount] = one[side] ?? []
      return owner ? [{ accountIndex, mint, owner, uiTokenAmount: { amount: String(amount) } }] : []
    })
  return {
    slot: 7,
    blockTime: 1_700_000_000,
    meta: {
      err: null,
      fee: FEE,
      preBalances: accounts.map(({ lamports }) => lamports[0]),
      postBalances: accounts.map(({ lamports }) => lamports[1]),
      preTokenBalances: tokens('before'),
      postTokenBalances: tokens('after'),
      ...meta,
    },
    transaction: {
      signatures: ['signature'],
      message: { accountKeys: accounts.map(({ key }) => ({ pubkey: key })) },
    },
  }
}
const decoded = (accounts: readonly Account[], meta: object = {}) =>
  decodeSolanaTransaction(solanaTransaction.parse(result(accounts, meta)), { atMs: 0, owners: new Map() })

/** What the wallets moved, without the lamports of their token accounts. */
const rowsOf = (accounts: readonly Account[]) =>
  decoded(accounts)
    .transfers.filter(({ from, to }) => [ME, THEM, OTHER].some((one) => one === from || one === to))
    .map(({ kind, token, from, to, raw }) => [kind, token, from, to, raw])

const payer = (change: number): Account => ({ key: ME, lamports: [9_000_000, 9_000_000 - FEE + change] })
const opened = (owner: string): Account => ({
  key: 'account',
  lamports: [0, RENT],
  mint: 'gem',
  after: [owner, 0],
})
const closed: Account = { key: 'account', lamports: [RENT, 0], mint: 'gem', before: [ME, 0] }

test('rent of a token account is apart from what its owner sent, to the last lamport', () => {
  const rent = ['rent', null, ME, NOBODY, BigInt(RENT)]
  expect(rowsOf([payer(-RENT), opened(ME)])).toEqual([rent])
  expect(rowsOf([payer(-RENT - 1), opened(ME)])).toEqual([['native', null, ME, NOBODY, 1n], rent])
  expect(rowsOf([payer(-RENT + 1), opened(ME)])).toEqual([['native', null, ME, NOBODY, BigInt(RENT - 1)]])
})

test('rent that another paid is no movement of the owner', () => {
  const them = { key: THEM, lamports: [8, 8] as [number, number] }
  expect(rowsOf([payer(-RENT), them, opened(THEM)])).toEqual([['native', null, ME, NOBODY, BigInt(RENT)]])
})

test('rent of a closed account comes back to its owner, or is what another received', () => {
  const back = ['rent', null, NOBODY, ME, BigInt(RENT)]
  expect(rowsOf([payer(RENT), closed])).toEqual([back])
  expect(rowsOf([payer(-3), closed])).toEqual([['native', null, ME, NOBODY, 3n]])
  expect(rowsOf([payer(RENT + 3), closed])).toEqual([['native', null, NOBODY, ME, 3n], back])
})

test('of an account of wrapped SOL only what is beyond its amount is rent', () => {
  const wrapped = (before: number, after: number): Account => ({
    key: 'account',
    lamports: [RENT + before, RENT + after],
    mint: WRAPPED,
    before: [ME, before],
    after: [ME, after],
  })
  expect(rowsOf([payer(-70), wrapped(30, 100)])).toEqual([
    ['native', null, ME, NOBODY, 70n],
    ['spl', WRAPPED, NOBODY, ME, 70n],
  ])
  const unwrapped: Account = { ...wrapped(30, 0), lamports: [RENT + 30, 0] }
  delete unwrapped.after
  expect(rowsOf([payer(RENT + 30), unwrapped])).toEqual([
    ['native', null, NOBODY, ME, 30n],
    ['rent', null, NOBODY, ME, BigInt(RENT)],
    ['spl', WRAPPED, ME, NOBODY, 30n],
  ])
  const created: Account = { ...wrapped(0, 100), lamports: [0, RENT + 100] }
  delete created.before
  expect(rowsOf([payer(-RENT - 100), created])).toEqual([
    ['native', null, ME, NOBODY, 100n],
    ['rent', null, ME, NOBODY, BigInt(RENT)],
    ['spl', WRAPPED, NOBODY, ME, 100n],
  ])
})

test('rents of several accounts of an owner add up', () => {
  expect(rowsOf([payer(-2 * RENT), opened(ME), { ...opened(ME), key: 'second' }])).toEqual([
    ['rent', null, ME, NOBODY, BigInt(2 * RENT)],
  ])
})

const held = (
  key: string,
  mint: string,
  [before, after]: [Account['before'], Account['after']],
): Account => ({
  key,
  lamports: [RENT, RENT],
  mint,
  ...(before && { before }),
  ...(after && { after }),
})

test('a token account with another owner moves what it held and what it holds', () => {
  expect(
    rowsOf([
      payer(0),
      held('account', 'gem', [
        [ME, 9],
        [THEM, 7],
      ]),
    ]),
  ).toEqual([
    ['spl', 'gem', ME, NOBODY, 9n],
    ['spl', 'gem', NOBODY, THEM, 7n],
  ])
  expect(
    rowsOf([
      payer(0),
      held('account', 'gem', [
        [ME, 9],
        [ME, 7],
      ]),
    ]),
  ).toEqual([['spl', 'gem', ME, NOBODY, 2n]])
})

test('each row of a token has the number of its receivers, and is one of one without any', () => {
  const { transfers } = decoded([
    payer(-6),
    { key: THEM, lamports: [0, 3] },
    { key: OTHER, lamports: [0, 3] },
    held('1', 'gem', [
      [ME, 9],
      [ME, 0],
    ]),
    held('2', 'gem', [
      [THEM, 0],
      [THEM, 4],
    ]),
    held('3', 'gem', [
      [OTHER, 0],
      [OTHER, 3],
    ]),
    held('4', 'gem', [
      [OTHER, 0],
      [OTHER, 2],
    ]),
    held('5', 'coal', [
      [ME, 5],
      [ME, 0],
    ]),
  ])
  expect(transfers.map(({ token, fanOut }) => [token, fanOut])).toEqual([
    ...[1, 2, 3].map(() => [null, 1]),
    ...[1, 2, 3, 4].map(() => ['gem', 2]),
    ['coal', 1],
  ])
})

const TABLE = { writable: ['written'], readonly: ['read'] }
const three = (keys: readonly string[], loadedAddresses?: typeof TABLE) => {
  const balances = { preBalances: [9, 5, 5], postBalances: [9, 5, 5] }
  const accounts = keys.map((key): Account => ({ key, lamports: [0, 0] }))
  return solanaTransaction.safeParse(result(accounts, { ...balances, loadedAddresses }))
}

test.each<[what: string, keys: string[], loaded: typeof TABLE | undefined]>([
  ['beside the others', [ME], TABLE],
  ['among the others', [ME, 'written', 'read'], TABLE],
  ['nowhere else', [ME, 'written', 'read'], undefined],
])('keys from lookup tables may be listed %s', (_what, keys, loaded) => {
  expect(three(keys, loaded).data?.keys).toEqual([ME, 'written', 'read'])
})

test.each([
  ['keys', { keys: [ME, THEM] }],
  ['balances before', { meta: { preBalances: [9] } }],
  ['balances after', { meta: { postBalances: [9] } }],
])('a transaction with another number of %s is refused', (_what, { keys, meta }: any) => {
  const accounts: Account[] = (keys ?? [ME, THEM, OTHER]).map((key: string) => ({ key, lamports: [9, 9] }))
  const balances = { preBalances: [9, 9, 9], postBalances: [9, 9, 9], ...meta }
  const { error } = solanaTransaction.safeParse(result(accounts, balances))
  expect(error?.issues[0]?.message).toBe('the number of balances differs from the number of accounts')
})

test('a failed transaction moves nothing, and still names the owners of its token accounts', () => {
  const { transfers, transaction, tokenAccounts } = decoded([payer(0), opened(THEM)], { err: 'Custom' })
  expect(transfers).toEqual([])
  expect(transaction).toMatchObject({ success: false, fee: BigInt(FEE), from: ME })
  expect([...tokenAccounts]).toEqual([['account', THEM]])
})
