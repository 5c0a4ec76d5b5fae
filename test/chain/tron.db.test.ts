import type pg from 'pg'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { scam, tronWallets, usdt } from '../../sandbox/tron/actors.ts'
import { names } from '../../sandbox/tron/ledger.ts'
import { testDatabase } from '../setup/database.ts'
import { ANCHOR, startOtherChains } from './other-chains.ts'
import { syncDirectly } from './sync-directly.ts'
import { expectSameRows } from './wallet-contents.ts'

vi.setConfig({ testTimeout: 60_000 })

const DAY_MS = 86_400_000
const open = async () =>
  openDb({ url: (await testDatabase()).ingestUrl, maxConnections: 4, applicationName: 'test' })
const [first, later] = [await open(), await open()]
const { pool } = first
const { state, tron, networkOf } = await startOtherChains()
afterAll(() => Promise.all([first, later].map(({ close }) => close())))
beforeEach(() => {
  state.nowMs = ANCHOR * 1_000
})

const sync = async (address: string, into: pg.Pool = pool) =>
  await syncDirectly({ pool: into, network: await networkOf(into, 'tron'), address })

const rowsOf = async (statement: string, values: unknown[]) => (await pool.query(statement, values)).rows

describe.each(tronWallets)('$label', ({ address }) => {
  test('legs of TRX and tokens add up to what the chain says, and fees are those that were burnt', async () => {
    const { walletId, openings } = await sync(address)
    const now = state.nowMs / 1_000
    const held = tron().held(address, now)
    expect(openings).toBe(0)
    const rows = await rowsOf(
      `select coin_id, sum(raw) filter (where role <> 'spam') as raw, sum(raw) filter (where role = 'fee') as fees,
         (select raw from balances where wallet_id = $1 and network_id = 'tron' and coin_id = moved.coin_id) as held
       from movements as moved where wallet_id = $1 and network_id = 'tron' group by coin_id`,
      [walletId],
    )
    const trx = rows.find(({ coin_id: id }) => id === 'tron')
    const burnt = tron()
      .of(address, now)
      .reduce((sum, { owner, fee }) => (owner === address ? sum + fee : sum), 0n)
    // Frozen TRX is the wallet's too.
    expect(trx).toMatchObject({
      raw: `${held.trx + held.frozen}`,
      held: `${held.trx + held.frozen}`,
      fees: `${-burnt}`,
    })
    expect(held.frozen + held.trx).toBeGreaterThan(0n)
    const [{ coin_id: tether }] = await rowsOf(
      `select coin_id from tokens where network_id = 'tron' and address = $1`,
      [usdt.address],
    )
    const amount = held.tokens.get(usdt.address)!
    expect(amount).toBeGreaterThan(0n)
    expect(rows.find(({ coin_id: id }) => id === tether)).toMatchObject({
      raw: `${amount}`,
      held: `${amount}`,
    })
  })

  test('has each transaction that changes it once', async () => {
    const { walletId } = await sync(address)
    const changing = tron()
      .of(address, state.nowMs / 1_000)
      .filter((tx) => {
        const isOwn = tx.owner === address
        if (tx.failed) return isOwn
        const moves = [...tx.internals, ...tx.events].some(
          ({ from, to }) => from === address || to === address,
        )
        return moves || tx.to === address || (isOwn && (tx.fee > 0n || tx.reward > 0n || tx.value > 0n))
      })
    const rows = await rowsOf(
      `select hash from wallet_transactions where wallet_id = $1 and network_id = 'tron' order by hash`,
      [walletId],
    )
    expect(changing.length).toBeGreaterThan(30)
    expect(rows.map(({ hash }) => hash)).toEqual(changing.map(({ hash }) => hash).sort())
    expect(changing.every((tx) => names(tx, address))).toBe(true)
  })
})

test('says what each kind of transaction is', async () => {
  for (const { address } of tronWallets) await sync(address)
  const rows = await rowsOf(
    `select distinct type, fragment::json ->> 'type' as label,
       array(select role from movements as moved where moved.wallet_id = served.wallet_id
         and moved.network_id = 'tron' and moved.tx_hash = served.hash order by seq) as roles
     from wallet_transactions as served where network_id = 'tron'`,
    [],
  )
  const kinds = rows.map(({ type, label, roles }) => `${type} ${label}: ${roles.join()}`)
  expect(kinds).toEqual(
    expect.arrayContaining([
      // A purchase and a sale of TRX on a pool, which pays inside the transaction.
      'executed Swap: trade,trade,fee',
      'executed Swap: wrap,wrap,fee',
      'approve Sent: fee',
      'fee Sent: fee',
      'deposit Received: reward',
      'deposit Received: spam',
      'deposit Received: transfer',
      'withdraw Sent: transfer',
      'withdraw Sent: transfer,fee',
    ]),
  )
  expect(
    await rowsOf(`select symbol, decimals, spam_reason from tokens where address = $1`, [scam.address]),
  ).toEqual([{ symbol: scam.symbol, decimals: 6, spam_reason: 'advertises' }])
})

test('wallets that pay each other share the rows of a transaction, in any order of syncs', async () => {
  const rows = await rowsOf(
    `select count(*)::int as n, count(distinct hash)::int as hashes,
       count(*) filter (where from_address = '')::int as unknown from transactions where network_id = 'tron'`,
    [],
  )
  expect(rows[0].n).toBe(rows[0].hashes)
  expect(rows[0].unknown).toBe(0)
})

test('syncs at several instants give the same rows as one sync, and a further one changes nothing', async () => {
  const { address } = tronWallets[0]!
  await expectSameRows({
    networkId: 'tron',
    address,
    sync,
    pool,
    later: later.pool,
    atDaysBefore: (days) => (state.nowMs = ANCHOR * 1_000 - days * DAY_MS),
  })
})
