import { beforeEach, expect, test } from 'vitest'
import { markBookDirty, markWalletsDirty } from '../../db/pnl/books.ts'
import { deleteMonthsBut, deleteUsesBut } from '../../db/pnl/lots/store-fold.ts'
import { dirtyFolds, endFold, lockDirtyFold, markFolds } from '../../db/pnl/lots/folds.ts'
import { changedBooks, dueBooks } from '../../db/pnl/periods/due-books.ts'
import { balancesAt } from '../../db/pnl/periods/opening-balances.ts'
import { lockQuietBooks, movingBooks } from '../../db/pnl/periods/quiet-books.ts'
import { endRuns, holdDays } from '../../db/pnl/periods/run-state.ts'
import { lockScopes } from '../../db/pnl/scopes.ts'
import { markHoldersDirty } from '../../db/pnl/valuation/price-changes.ts'
import { toNumber } from '../../db/values/decimal.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { twoOfEach } from '../chain/two-of-each.ts'

// What is computed, marked and deleted for one book or fold leaves the others as they are.

const { database, db, ask, networkId, walletId } = await twoOfEach()
const books = (await ask<{ id: string }>('select id from books order by id')).map(({ id }) => id)
const [{ id: own }] = (await ask<{ id: string }>(
  'select id from books where wallet_id = $1 and network_id = $2',
  [walletId, networkId],
)) as [{ id: string }]
await ask('insert into scopes (book_id, dirty_from) select id, null from books order by id')
await ask(`insert into folds (scope_id, method, dirty_from) select id, 'fifo', null from scopes order by id`)
const [{ id: foldId }] = (await ask<{ id: string }>(
  'select f.id from folds f join scopes s on s.id = scope_id where book_id = $1',
  [own],
)) as [{ id: string }]

const MIDNIGHT = new Date('2026-01-03T00:00:00Z')
const before = (days: number) => new Date(MIDNIGHT.getTime() - days * 86_400_000)
const changed = (work: () => Promise<unknown>) =>
  changedRows(
    database,
    {
      pl_states: 'book_id',
      folds: '(select book_id from scopes where id = scope_id)',
      lot_uses: `fold_id || ' ' || extract(day from day at time zone 'UTC')`,
      coin_fold_days: `fold_id || ' ' || coin_id || ' ' || extract(day from month at time zone 'UTC')`,
    },
    work,
  )

beforeEach(async () => {
  await ask('truncate pl_states, pl_days, balance_days')
  await ask('insert into pl_states (book_id, computed_to) select id, $1 from books', [MIDNIGHT])
  await ask('update folds set dirty_from = null, uses_revision = revision, days_revision = revision')
})
/** Changes the state of the book. */
const state = (change: string, values: unknown[] = []) =>
  ask(`update pl_states set ${change} where book_id = ${own}`, values)

test.each([
  ['it is computed up to the midnight', 'dirty_from = null', null],
  ['it changed', 'dirty_from = now()', true],
  ['it lacks the midnight', `computed_to = computed_to - interval '1 day'`, true],
  [
    'it was never computed, which is for the sync of its wallet',
    'computed_to = null, dirty_from = now()',
    null,
  ],
])('whether a book is due: %s', async (_, change, isBehind) => {
  await state(change)
  const due = (afterId: string, limit = 9) => dueBooks({ db, midnight: MIDNIGHT, afterId, limit })
  expect(await due('0')).toEqual(isBehind === null ? [] : [{ id: own, walletId, networkId, isBehind }])
  expect(await due(own)).toEqual([])
})

test('books with coin rows to compute are due though their days are complete', async () => {
  await ask('update folds set dirty_from = now() where id = $1', [foldId])
  const due = await dueBooks({ db, midnight: MIDNIGHT, afterId: '0', limit: 9 })
  expect(due).toEqual([{ id: own, walletId, networkId, isBehind: false }])
})

test('changed books are those of followed networks with other legs, the first changes first', async () => {
  const ids = async (except: string[] = []) =>
    (await changedBooks(db, { limit: 9, except })).map(({ id }) => id)
  await state('dirty_from = now()')
  expect(await ids()).toEqual([])
  await ask(`update pl_states set legs_changed = true, dirty_from = now() + book_id * interval '1 second'`)
  await state('dirty_from = now()')
  expect(await ids()).toEqual([own, ...books.filter((id) => id !== own)])
  expect(await ids([own])).toEqual(books.filter((id) => id !== own))
  await ask('update pl_states set computed_to = null where book_id <> $1', [own])
  expect(await ids()).toEqual([own])
  await ask(`update network_follows set mode = 'off' where network_id = $1`, [networkId])
  expect(await ids()).toEqual([])
  await ask(`update network_follows set mode = 'blocks'`)
})

test.each([
  ['only its prices changed', 'dirty_from = $1, repriced_from = $2', [before(1), before(2)], before(2)],
  ['another change came before', 'dirty_from = $1, repriced_from = $2', [before(2), before(1)], before(2)],
  ['its legs changed', 'legs_changed = true', [], null],
  ['it was never computed', 'computed_to = null', [], null],
])('whether a book is quiet: %s', async (_, change, values, dirtyFrom) => {
  await state(change, values)
  const quiet = await lockQuietBooks(db, [own])
  expect(quiet.books).toEqual(
    dirtyFrom ? [{ bookId: own, dirtyFromMs: dirtyFrom.getTime(), computedToMs: MIDNIGHT.getTime() }] : [],
  )
})

test('a book moves from an instant on if it has a leg at it or later, or had a flow after it', async () => {
  const moving = (from: Date) => movingBooks(db, { bookIds: books, from })
  const [{ at }] = (await ask<{ at: Date }>(
    'select max(at) as at from movements where wallet_id = $1 and network_id = $2',
    [walletId, networkId],
  )) as [{ at: Date }]
  // Its last movement is later than those of the other books.
  expect(await moving(at)).toEqual(new Set([own]))
  const later = new Date(at.getTime() + 1)
  expect(await moving(later)).toEqual(new Set())
  for (const [id, flow] of [
    [books[0], 0],
    [own, -1],
  ])
    await ask('insert into pl_days values ($1, $2, 0, 0, 0, $3, 0, 0, false)', [id, MIDNIGHT, flow])
  expect(await moving(before(1))).toEqual(new Set([own]))
  expect(await moving(MIDNIGHT)).toEqual(new Set())
  expect(await movingBooks(db, { bookIds: books.filter((id) => id !== own), from: at })).toEqual(new Set())
})

test.each([
  ['one book', () => markBookDirty({ db, book: { walletId, networkId }, from: before(2), to: before(1) })],
  [
    'wallets',
    () => markWalletsDirty(db, { networkId, changes: [{ walletId, from: before(2), to: before(1) }] }),
  ],
])('%s changed: the earliest change and the last leg count', async (_, mark) => {
  const marks = () =>
    ask('select dirty_from, repriced_from, repriced_to, legs_changed from pl_states where book_id = $1', [
      own,
    ])
  expect(new Set(await changed(mark))).toEqual(new Set([own]))
  const marked = {
    dirty_from: before(2),
    repriced_from: before(2),
    repriced_to: before(1),
    legs_changed: true,
  }
  expect(await marks()).toEqual([marked])
  // Of what is marked already, an earlier start and a later end stay.
  await state('dirty_from = $1, repriced_from = $1, repriced_to = $2, legs_changed = false', [
    before(3),
    MIDNIGHT,
  ])
  await mark()
  expect(await marks()).toEqual([
    { dirty_from: before(3), repriced_from: before(3), repriced_to: MIDNIGHT, legs_changed: true },
  ])
})

test('a book that is computed is clean, and its days can be held', async () => {
  await ask('update pl_states set dirty_from = now(), repriced_from = now(), legs_changed = true')
  expect(await holdDays(db, own)).toBe(false)
  const end = () => endRuns(db, { bookIds: [own], toMs: before(1).getTime() })
  expect(new Set(await changed(end))).toEqual(new Set([own]))
  expect(await holdDays(db, own)).toBe(true)
  expect(await holdDays(db, books[0]!)).toBe(false)
  expect(
    await ask('select repriced_from, legs_changed, computed_to from pl_states where dirty_from is null'),
  ).toEqual([{ repriced_from: null, legs_changed: false, computed_to: before(1) }])
})

test('a changed price marks the books that held its coin and are computed that far; one of a unit marks all', async () => {
  for (const [id, coin] of [
    [own, 'held'],
    [books[0], 'other'],
  ])
    await ask('insert into balance_days (book_id, coin_id, at, raw, decimals) values ($1, $2, $3, 1, 0)', [
      id,
      coin,
      MIDNIGHT,
    ])
  const mark = async (coinId: string, from: Date) =>
    new Set(await changed(() => markHoldersDirty({ db, changes: [{ coinId, from }] })))
  expect(await mark('held', new Date(MIDNIGHT.getTime() + 1))).toEqual(new Set())
  expect(await mark('none', MIDNIGHT)).toEqual(new Set())
  expect(await mark('held', MIDNIGHT)).toEqual(new Set([own]))
  expect(await mark('held', MIDNIGHT)).toEqual(new Set())
  expect(await mark('held', before(1))).toEqual(new Set([own]))
  expect(await ask('select dirty_from, repriced_from from pl_states where dirty_from is not null')).toEqual([
    { dirty_from: before(1), repriced_from: before(1) },
  ])
  expect(await mark('ethereum', before(2))).toEqual(new Set(books))
  // Its days are behind from earlier on, but its legs have prices to look up since now.
  await state('dirty_from = $1, repriced_from = null', [before(3)])
  expect(await mark('held', before(1))).toEqual(new Set([own]))
  expect(await ask(`select dirty_from, repriced_from from pl_states where book_id = ${own}`)).toEqual([
    { dirty_from: before(3), repriced_from: before(1) },
  ])
})

test('balances at midnights are those of the book, with what changed at the midnight itself', async () => {
  for (const [id, at, raw] of [
    [own, before(3), 5],
    [own, before(1), 7],
    [own, MIDNIGHT, 0],
    [books[0], before(3), 11],
    [books[0], before(1), 13],
  ])
    await ask(
      `insert into balance_days (book_id, coin_id, at, raw, decimals) values ($1, 'coin', $2, $3, 0)`,
      [id, at, raw],
    )
  const midnights = [before(2), before(1), MIDNIGHT].map((at) => at.getTime())
  const balances = await balancesAt({ db, bookId: own, afterMs: before(3).getTime(), midnights })
  expect(balances.map((held) => [...held.values()].map(toNumber))).toEqual([[5], [7], []])
})

test('a fold is due, locked and ended alone', async () => {
  expect(await lockDirtyFold(db, foldId)).toBe(null)
  await ask('update folds set dirty_from = $1', [MIDNIGHT])
  expect(await dirtyFolds(db, { bookIds: [own] })).toEqual([foldId])
  expect(await lockDirtyFold(db, foldId)).toMatchObject({ method: 'fifo', dirtyMs: MIDNIGHT.getTime() })
  const end = () => endFold(db, { foldId, at: MIDNIGHT })
  expect(new Set(await changed(end))).toEqual(new Set([own]))
  expect(await dirtyFolds(db, { bookIds: [own] })).toEqual([])
  expect(await dirtyFolds(db, { bookIds: books })).toHaveLength(books.length - 1)
  // Folded without its lot uses: from the beginning.
  await ask('update folds set uses_revision = null')
  expect(await lockDirtyFold(db, foldId)).toMatchObject({ dirtyMs: 0 })
})

test('rows of a fold from a day on that are not kept are deleted', async () => {
  await ask('truncate lot_uses, coin_fold_days')
  await ask(
    `insert into lot_uses select id, '2026-01-01Z'::timestamptz + day * interval '1 day', '[]', '[]'
     from folds, generate_series(0, 3) day`,
  )
  await ask(
    `insert into coin_fold_days select id, coin, '2026-01-01Z'::timestamptz + day * interval '1 day', 0, '[]'
     from folds, generate_series(0, 2) day, unnest(array['a', 'b']) coin`,
  )
  const uses = { foldId, from: before(1), kept: [MIDNIGHT] }
  expect(await changed(() => deleteUsesBut(db, uses))).toEqual([`${foldId} 2`, `${foldId} 4`])
  const months = { foldId, from: before(1), kept: [{ coinId: 'a', month: MIDNIGHT }] }
  expect((await changed(() => deleteMonthsBut(db, months))).toSorted()).toEqual(
    ['a 2', 'b 2', 'b 3'].map((one) => `${foldId} ${one}`),
  )
})

test.each([
  [
    'one book',
    (network: string) => markBookDirty({ db, book: { walletId, networkId: network }, from: before(2) }),
    'infinity',
  ],
  [
    'wallets',
    (network: string) =>
      markWalletsDirty(db, { networkId: network, changes: [{ walletId, from: before(2), to: before(1) }] }),
    before(1).toISOString(),
  ],
])('%s of a network changed for the first time: a book and its state are made', async (_, mark, to) => {
  await mark('polygon-wallet')
  const made = `select repriced_to = $1::timestamptz as is_last, dirty_from, repriced_from, computed_to, legs_changed, wallet_id
    from pl_states join books on id = book_id where network_id = 'polygon-wallet'`
  expect(await ask(made, [to])).toEqual([
    {
      is_last: true,
      dirty_from: before(2),
      repriced_from: before(2),
      computed_to: null,
      legs_changed: true,
      wallet_id: walletId,
    },
  ])
  await ask(`delete from books where network_id = 'polygon-wallet'`)
})

test('a scope gets the folds of its methods and loses those of others, and no other scope does', async () => {
  const [scope] = await lockScopes(db, { bookId: own })
  await markFolds(db, [{ scope: scope!, fromMs: null }])
  const folds = await ask<{ book_id: string; method: string }>(
    'select book_id, method from folds join scopes on scopes.id = scope_id order by book_id',
  )
  expect(folds).toEqual(books.map((id) => ({ book_id: id, method: id === own ? 'average' : 'fifo' })))
  await ask('update folds set dirty_from = null')
  await markFolds(db, [{ scope: scope!, fromMs: null }])
  expect(await ask('select from folds where dirty_from is not null')).toEqual([])
  await markFolds(db, [{ scope: scope!, fromMs: before(1).getTime() }])
  await markFolds(db, [{ scope: scope!, fromMs: MIDNIGHT.getTime() }])
  expect(await ask('select method, dirty_from from folds where dirty_from is not null')).toEqual([
    { method: 'average', dirty_from: before(1) },
  ])
})
