import type pg from 'pg'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { tonWallets, usdt } from '../../sandbox/ton/actors.ts'
import { forwardFee } from '../../sandbox/ton/ledger.ts'
import { testDatabase } from '../setup/database.ts'
import { ANCHOR, startOtherChains } from './other-chains.ts'
import { syncDirectly } from './sync-directly.ts'
import { expectSameRows, walletContents } from './wallet-contents.ts'

vi.setConfig({ testTimeout: 60_000 })

const DAY_MS = 86_400_000
/** What counts at a block is half a minute old. */
const SETTLED = ANCHOR - 30
const open = async () =>
  openDb({ url: (await testDatabase()).ingestUrl, maxConnections: 4, applicationName: 'test' })
const [first, later] = [await open(), await open()]
const { pool } = first
const { state, ton, networkOf } = await startOtherChains()
afterAll(() => Promise.all([first, later].map(({ close }) => close())))
beforeEach(() => {
  state.nowMs = ANCHOR * 1_000
})

const sync = async (address: string, into: pg.Pool = pool) =>
  await syncDirectly({ pool: into, network: await networkOf(into, 'ton'), address })

describe.each(tonWallets)('$label', ({ account, address }) => {
  test('has each trace once; legs add up to the balances of the chain, and fees are what its transactions paid', async () => {
    const { walletId, openings } = await sync(address)
    expect(openings).toBe(0)
    const txs = ton()
      .of(account)
      .filter(({ now }) => now <= SETTLED)
    const { rows } = await pool.query(
      `select coin_id, sum(raw) as raw, sum(raw) filter (where role = 'fee') as fees,
         (select raw from balances where wallet_id = $1 and network_id = 'ton' and coin_id = moved.coin_id) as held
       from movements as moved where wallet_id = $1 and network_id = 'ton' group by coin_id`,
      [walletId],
    )
    const paid = txs.reduce((sum, { fees, out }) => sum + fees + forwardFee * BigInt(out.length), 0n)
    const native = `${ton().native(account, SETTLED)}`
    expect(rows.find(({ coin_id: id }) => id === 'the-open-network')).toEqual({
      coin_id: 'the-open-network',
      raw: native,
      held: native,
      fees: `${-paid}`,
    })
    const amount = `${ton().held(account, SETTLED).get(usdt.master)}`
    expect(rows.find(({ coin_id: id }) => id === `${usdt.address}_ton`)).toMatchObject({
      raw: amount,
      held: amount,
    })
    const served = await pool.query(
      `select hash from wallet_transactions where wallet_id = $1 and network_id = 'ton' order by hash collate "C"`,
      [walletId],
    )
    const traces = new Set(
      [...txs, ...ton().movesOf(account)].flatMap(({ now, trace }) => (now <= SETTLED ? trace : [])),
    )
    const hex = [...traces].map((one) => Buffer.from(one, 'base64').toString('hex'))
    expect(served.rows.map(({ hash }) => hash)).toEqual(hex.sort())
  })
})

test('says what each kind of trace is, and names jettons as their masters or the indexer do', async () => {
  for (const { address } of tonWallets) await sync(address)
  const { rows } = await pool.query(
    `select distinct type, fragment::json ->> 'type' as label,
       array(select role from movements as moved where moved.wallet_id = served.wallet_id
         and moved.network_id = 'ton' and moved.tx_hash = served.hash order by seq) as roles
     from wallet_transactions as served where network_id = 'ton'`,
  )
  const kinds = rows.map(({ type, label, roles }) => `${type} ${label}: ${roles.join()}`).sort()
  expect(kinds).toEqual([
    // Without a notice the wallet has no transaction, and pays nothing.
    'deposit Received: transfer',
    'deposit Received: transfer,fee',
    // With a notice of one nanoton, here and below.
    'deposit Received: transfer,spam',
    'deposit Received: transfer,transfer',
    'executed Swap: trade,trade,fee',
    'fee Sent: fee',
    'withdraw Sent: transfer,fee',
    // A jetton, and the coins that its wallet contracts used up.
    'withdraw Sent: transfer,transfer,fee',
  ])
  const tokens = await pool.query(
    `select symbol, decimals, spam_reason from tokens where network_id = 'ton' order by symbol`,
  )
  expect(tokens.rows).toEqual([
    { symbol: 'USD₮', decimals: 6, spam_reason: null },
    { symbol: 'VOUCHER', decimals: 9, spam_reason: 'advertises' },
  ])
})

test('syncs at several instants give the same rows as one sync, and a further one changes nothing', async () => {
  const { address } = tonWallets[0]!
  await expectSameRows({
    networkId: 'ton',
    address,
    sync,
    pool,
    later: later.pool,
    atDaysBefore: (days) => (state.nowMs = ANCHOR * 1_000 - days * DAY_MS),
  })
})

test('a sync in the middle of a trace keeps balances and legs equal, and a later one adds the rest of it', async () => {
  const { account, address } = tonWallets[1]!
  const long = ton()
    .of(account)
    .filter(({ now }) => now <= SETTLED - DAY_MS / 1_000)
    .findLast(
      ({ hash, trace, now }) =>
        hash === trace &&
        ton()
          .of(account)
          .some((one) => one.trace === trace && one.now > now),
    )!
  const steps = [11, 16, 21, 60]
  for (const seconds of steps) {
    state.nowMs = (long.now + 30 + seconds) * 1_000
    expect(await sync(address, later.pool).catch((error: unknown) => error)).toMatchObject({ openings: 0 })
  }
  state.nowMs = ANCHOR * 1_000
  expect((await sync(address, later.pool)).openings).toBe(0)
  await sync(address)
  const [once, again] = [pool, later.pool].map((of) => walletContents(of, { networkId: 'ton', address }))
  expect(await again).toEqual(await once)
})
