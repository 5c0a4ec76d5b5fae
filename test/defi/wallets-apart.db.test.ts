import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { hasProtocols, holdersToSweep, markedWallets } from '../../db/defi/due-wallets.ts'
import { failDefiRead } from '../../db/defi/fail-read.ts'
import { readMarks, settleMarks } from '../../db/defi/marks.ts'
import { readDefiAssets, readDefiStates } from '../../db/defi/read-positions.ts'
import { unknownTokens } from '../../db/defi/unknown-tokens.ts'
import { walletTokens } from '../../db/defi/wallet-tokens.ts'
import { type DefiReadToWrite, writeDefiRead } from '../../db/defi/write-positions.ts'
import { transact } from '../../db/transact.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address, hash, insertBalance, insertWallet } from '../setup/wallet-factories.ts'

// What is read and written of the positions of one wallet on one network leaves out its other network and other wallets.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), reader.close()]))
const run = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const at = (text: string) => new Date(`2026-03-${text}Z`)
const NOW = at('10T00:00:00')
const [ETHEREUM, BASE] = ['ethereum', 'base-wallet']

/** Wallets on two networks. */
let [one, two]: [string, string] = ['', '']
const nameOf = (id: string) => ({ [one]: 'one', [two]: 'two' })[id]
beforeAll(async () => {
  const syncs = { ethereum: NOW, 'base-wallet': NOW }
  one = await insertWallet(db, { address: address(1), syncs })
  two = await insertWallet(db, { address: address(2), syncs })
})

const position = (protocolId: string, id: string, raw = 1n) => ({
  protocolId,
  id,
  name: id,
  poolAddress: address(7),
  healthRate: null,
  unlockAt: null,
  endAt: null,
  assets: [{ role: 'supplied' as const, token: null, raw }],
})
const BOTH = ['aave-v3', 'lido']
const write = (walletId: string, networkId: string, told: Partial<DefiReadToWrite> = {}) =>
  transact(pool, ({ client }) =>
    writeDefiRead(client, {
      walletId,
      networkId,
      block: { number: 7, hash: hash(7), at: NOW },
      source: 'test',
      fetchedAt: NOW,
      answered: BOTH,
      unknown: [],
      failure: null,
      positions: [position('aave-v3', 'a'), position('aave-v3', 'b'), position('lido', 'a')],
      ...told,
    }),
  )

beforeEach(async () => {
  await run('truncate defi_reads, defi_marks, defi_positions, defi_assets')
  await activateNetworks(db, [ETHEREUM!, BASE!])
  for (const walletId of [one, two])
    for (const networkId of [ETHEREUM!, BASE!]) await write(walletId, networkId)
  await run('truncate defi_marks')
})

const mark = (walletId: string, networkId: string, nextInMinutes = -1, blockNumber: number | null = null) =>
  run(
    `insert into defi_marks (wallet_id, network_id, next_at, block_number)
     values ($1, $2, now() + $3 * interval '1 minute', $4)`,
    [walletId, networkId, nextInMinutes, blockNumber],
  )
const markAll = async () => {
  for (const walletId of [one, two])
    for (const networkId of [ETHEREUM!, BASE!]) await mark(walletId, networkId)
}

const TABLES = {
  defi_reads: `concat_ws(' ', wallet_id, network_id)`,
  defi_marks: `concat_ws(' ', wallet_id, network_id, 'mark')`,
  defi_positions: `concat_ws(' ', wallet_id, network_id, protocol_id, id)`,
  defi_assets: `concat_ws(' ', wallet_id, network_id, protocol_id, position_id, 'asset')`,
}
const changed = async (work: () => Promise<unknown>) =>
  [...new Set(await changedRows(database, TABLES, work))]
    .map((row) => row.replace(/^\d+/, (id) => nameOf(id)!))
    .sort()

test('positions that an answer leaves out go, those of protocols that did not answer and unknown ones stay', async () => {
  const rows = (...ids: string[]) => ids.flatMap((id) => [`one ethereum ${id}`, `one ethereum ${id} asset`])
  const later = { block: { number: 8, hash: hash(8), at: NOW } }
  expect(await changed(() => write(one, ETHEREUM!, { ...later, answered: ['lido'], positions: [] }))).toEqual(
    ['one ethereum', ...rows('lido a')],
  )
  const unknown = [{ protocolId: 'aave-v3', id: 'a' }]
  expect(await changed(() => write(one, ETHEREUM!, { ...later, unknown, positions: [] }))).toEqual(
    rows('aave-v3 b'),
  )
  const positions = [position('aave-v3', 'a', 2n)]
  expect(await changed(() => write(one, ETHEREUM!, { ...later, positions }))).toEqual(rows('aave-v3 a'))
  // An answer of an earlier block comes too late, one of the same does not.
  const earlier = { block: { number: 7, hash: hash(7), at: NOW }, positions: [] }
  expect(await changed(async () => expect(await write(one, ETHEREUM!, earlier)).toBe(false))).toEqual([])
  expect(await write(one, ETHEREUM!, { ...later, positions: [] })).toBe(true)
})

test('a read that fails in part keeps the time of the last complete one', async () => {
  const states = async () => {
    const wallets = [
      { walletId: one, networkId: ETHEREUM! },
      { walletId: two, networkId: ETHEREUM! },
    ]
    const found = await readDefiStates(reader.db, wallets)
    return [one, two].map((id) => found.find(({ walletId }) => walletId === id)!.asOf)
  }
  const fetchedAt = at('10T01:00:00')
  await write(one, ETHEREUM!, { fetchedAt, failure: 'lido did not answer' })
  expect(await states()).toEqual([NOW, NOW])
  await write(one, ETHEREUM!, { fetchedAt })
  expect(await states()).toEqual([fetchedAt, NOW])
  const fail = () =>
    failDefiRead(pool, {
      walletId: two,
      networkId: ETHEREUM!,
      source: 'test',
      at: fetchedAt,
      failure: 'nothing',
    })
  expect(await changed(fail)).toEqual(['two ethereum'])
  expect(await states()).toEqual([fetchedAt, NOW])
  // A complete read ends the failure.
  await write(two, ETHEREUM!)
  expect(await run('select from defi_reads where failure is not null or failed_at is not null')).toEqual([])
})

test('a wallet without positions is known up to its last sync, unless it is marked or its read failed', async () => {
  const asOf = async () =>
    (await readDefiStates(reader.db, [{ walletId: one, networkId: ETHEREUM! }]))[0]!.asOf
  const synced = at('10T03:00:00')
  await run('update wallet_syncs set synced_at = $1 where wallet_id = $2 and network_id = $3', [
    synced,
    one,
    ETHEREUM,
  ])
  // It has positions.
  expect(await asOf()).toEqual(NOW)
  await write(one, ETHEREUM!, { positions: [] })
  await mark(two, ETHEREUM!)
  await mark(one, BASE!)
  expect(await asOf()).toEqual(synced)
  await mark(one, ETHEREUM!)
  expect(await asOf()).toEqual(NOW)
  await run('truncate defi_marks')
  expect(await asOf()).toEqual(synced)
  await write(one, ETHEREUM!, { positions: [], failure: 'lido did not answer' })
  expect(await asOf()).toEqual(NOW)
})

test('assets: of the wallets and networks that are asked for, as pairs', async () => {
  const read = async (...keys: [string, string][]) => {
    const rows = await readDefiAssets(
      reader.db,
      keys.map(([walletId, networkId]) => ({ walletId, networkId })),
    )
    return rows
      .map((row) => `${nameOf(row.walletId)} ${row.networkId} ${row.protocolId} ${row.positionId}`)
      .sort()
  }
  const three = (name: string) => [`${name} aave-v3 a`, `${name} aave-v3 b`, `${name} lido a`]
  expect(await read([one, ETHEREUM!])).toEqual(three('one ethereum'))
  expect(await read([one, ETHEREUM!], [two, BASE!])).toEqual([
    ...three('one ethereum'),
    ...three('two base-wallet'),
  ])
})

test('marked wallets: synced ones on active networks whose mark is due, the oldest first', async () => {
  const due = async (limit = 9) =>
    (await markedWallets(pool, { limit })).map(
      ({ walletId, networkId }) => `${nameOf(walletId)} ${networkId}`,
    )
  await mark(one, ETHEREUM!, -1)
  await mark(two, ETHEREUM!, -2)
  await mark(one, BASE!, 5)
  expect(await due()).toEqual(['two ethereum', 'one ethereum'])
  expect(await due(1)).toEqual(['two ethereum'])
  await run('update wallet_syncs set synced_at = null where wallet_id = $1 and network_id = $2', [
    two,
    ETHEREUM,
  ])
  expect(await due()).toEqual(['one ethereum'])
  await activateNetworks(db, [BASE!])
  expect(await due()).toEqual([])
  await run('update wallet_syncs set synced_at = $1', [NOW])
})

test('holders to sweep: unmarked ones whose last read or failure is old, on Solana an hour later', async () => {
  const due = async (before: Date) =>
    (await holdersToSweep(pool, { before, limit: 9 })).map(
      ({ walletId, networkId }) => `${nameOf(walletId)} ${networkId}`,
    )
  const later = at('10T01:00:00')
  expect(await due(NOW)).toEqual([])
  await write(two, BASE!, { positions: [] })
  await mark(one, BASE!)
  expect(await due(later)).toEqual(['one ethereum', 'two ethereum'])
  const fail = (time: Date) =>
    failDefiRead(pool, { walletId: one, networkId: ETHEREUM!, source: 'test', at: time, failure: 'nothing' })
  await fail(at('10T00:30:00'))
  expect(await due(later)).toEqual(['two ethereum', 'one ethereum'])
  await fail(later)
  expect(await due(later)).toEqual(['two ethereum'])
  await run(`update networks set kind = 'solana' where id = 'ethereum'`)
  expect(await due(at('10T00:55:00'))).toEqual([])
  expect(await due(at('10T00:55:01'))).toEqual(['two ethereum'])
  await run(`update networks set kind = 'evm' where id = 'ethereum'`)
  await activateNetworks(db, [BASE!])
  expect(await due(later)).toEqual([])
})

test('marks of a read are settled for its complete wallets, on its network, unless something came after', async () => {
  await markAll()
  const marks = await readMarks(pool, { networkId: ETHEREUM!, walletIds: [one, two] })
  expect(new Set(marks.map(({ walletId }) => walletId))).toEqual(new Set([one, two]))
  expect(await readMarks(pool, { networkId: ETHEREUM!, walletIds: [two] })).toHaveLength(1)
  const settle = (completeIds: string[], blockNumber: number | null = 7, of = marks) =>
    changed(() => settleMarks(pool, { networkId: ETHEREUM!, blockNumber, marks: of, completeIds }))
  expect(await settle([one], 7, [])).toEqual([])
  expect(await settle([one])).toEqual(['one ethereum mark', 'two ethereum mark'])
  const left = () => run('select wallet_id as id, attempts from defi_marks where network_id = $1', [ETHEREUM])
  expect(await left()).toEqual([{ id: two, attempts: 1 }])
  // The node did not have the block yet.
  await run('update defi_marks set block_number = 8')
  await settle([two])
  expect(await left()).toEqual([{ id: two, attempts: 2 }])
  // It was marked again.
  await run('update defi_marks set marked_at = clock_timestamp()')
  expect(await settle([two], 9)).toEqual([])
  const again = await readMarks(pool, { networkId: ETHEREUM!, walletIds: [two] })
  expect(await settle([two], 8, again)).toEqual(['two ethereum mark'])
  expect(await left()).toEqual([])
})

test('the pause of a mark doubles from 15 seconds to six hours', async () => {
  await markAll()
  for (const [attempts, seconds] of [
    [0, 15],
    [3, 120],
    [11, 21_600],
    [40, 21_600],
  ]) {
    await run('update defi_marks set attempts = $1', [attempts])
    const marks = await readMarks(pool, { networkId: ETHEREUM!, walletIds: [one] })
    // Postgres has the same clock, with more digits.
    const began = Date.now()
    await settleMarks(pool, { networkId: ETHEREUM!, blockNumber: null, marks, completeIds: [] })
    const [row] = await run<{ next_at: Date }>(
      'select next_at from defi_marks where wallet_id = $1 and network_id = $2',
      [one, ETHEREUM],
    )
    const pause = row!.next_at.getTime() - seconds! * 1_000
    expect(pause).toBeGreaterThanOrEqual(began - 1_000)
    expect(pause).toBeLessThanOrEqual(Date.now() + 1_000)
  }
})

test('tokens of wallets: received, held, and single indivisible ones, of the network and without spam', async () => {
  const token = (n: number, spam: { spamReason?: string } = {}) => ({ address: address(n), ...spam })
  const hold = (
    walletId: string,
    networkId: string,
    raw: string,
    of: ReturnType<typeof token>,
    decimals = 18,
  ) =>
    insertBalance(db, {
      walletId,
      networkId,
      coinId: `coin-${of.address}`,
      raw,
      decimals,
      at: NOW,
      token: of,
    })
  await hold(one, ETHEREUM!, '0', token(0xa0))
  await hold(one, ETHEREUM!, '1', token(0xa1), 0)
  await hold(one, ETHEREUM!, '1', token(0xa2))
  await hold(one, ETHEREUM!, '2', token(0xa3), 0)
  await hold(one, ETHEREUM!, '5', token(0xa4, { spamReason: 'advertises' }))
  await hold(one, BASE!, '5', token(0xa5))
  await hold(two, ETHEREUM!, '5', token(0xa6))
  const read = async (...walletIds: string[]) => [
    ...(await walletTokens(pool, { networkId: ETHEREUM!, walletIds })).values(),
  ]
  const list = (...ns: number[]) => ns.map((n) => address(n))
  expect(await read(one)).toEqual([
    { walletId: one, received: list(0xa0, 0xa1, 0xa2, 0xa3), held: list(0xa1, 0xa2, 0xa3), nfts: list(0xa1) },
  ])
  expect(await read(one, two)).toHaveLength(2)
  expect(
    await unknownTokens(pool, { networkId: ETHEREUM!, addresses: list(0xa1, 0xa5, 0xa9, 0xa9) }),
  ).toEqual(list(0xa5, 0xa9))
  expect(await hasProtocols(pool, ETHEREUM!)).toBe(true)
  expect(await hasProtocols(pool, 'nowhere')).toBe(false)
})
