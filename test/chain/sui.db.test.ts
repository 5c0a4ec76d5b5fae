import type pg from 'pg'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { suiType, suiWallets, usdc } from '../../sandbox/sui/actors.ts'
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
const { state, sui, networkOf } = await startOtherChains()
afterAll(() => Promise.all([first, later].map(({ close }) => close())))
beforeEach(() => {
  state.nowMs = ANCHOR * 1_000
})

const sync = async (address: string, into: pg.Pool = pool) =>
  await syncDirectly({ pool: into, network: await networkOf(into, 'sui'), address })

describe.each(suiWallets)('$label', ({ address }) => {
  test('has each transaction once; legs add up to the balances of the chain, and fees are the gas it paid', async () => {
    const { walletId, openings } = await sync(address)
    const newest = sui().newest(ANCHOR)
    const held = sui().held(address, newest)
    const txs = sui()
      .affecting(address)
      .filter(({ checkpoint }) => checkpoint <= newest)
    expect(openings).toBe(0)
    const { rows } = await pool.query(
      `select coin_id, sum(raw) as raw, sum(raw) filter (where role = 'fee') as fees,
         (select raw from balances where wallet_id = $1 and network_id = 'sui' and coin_id = moved.coin_id) as held
       from movements as moved where wallet_id = $1 and network_id = 'sui' group by coin_id`,
      [walletId],
    )
    const paid = txs.reduce((sum, { sender, sponsor, gas }) => {
      const net = gas.computation + gas.storage - gas.rebate
      return (sponsor ?? sender) === address && net > 0n ? sum + net : sum
    }, 0n)
    const native = `${held.get(suiType)}`
    expect(rows.find(({ coin_id: id }) => id === 'sui')).toEqual({
      coin_id: 'sui',
      raw: native,
      held: native,
      fees: `${-paid}`,
    })
    const amount = `${held.get(usdc.type)}`
    const token = `${usdc.type}_sui`
    expect(rows.find(({ coin_id: id }) => id === token)).toMatchObject({ raw: amount, held: amount })
    const served = await pool.query(
      `select hash from wallet_transactions where wallet_id = $1 and network_id = 'sui' order by hash collate "C"`,
      [walletId],
    )
    expect(served.rows.map(({ hash }) => hash)).toEqual(txs.map(({ digest }) => digest).sort())
  })
})

test('says what each kind of transaction is, and names tokens as their metadata does', async () => {
  for (const { address } of suiWallets) await sync(address)
  const { rows } = await pool.query(
    `select distinct type, fragment::json ->> 'type' as label,
       array(select role from movements as moved where moved.wallet_id = served.wallet_id
         and moved.network_id = 'sui' and moved.tx_hash = served.hash order by seq) as roles
     from wallet_transactions as served where network_id = 'sui'`,
  )
  const kinds = rows.map(({ type, label, roles }) => `${type} ${label}: ${roles.join()}`).sort()
  expect(kinds).toEqual([
    'deposit Received: spam',
    // Merged coins give back more storage than the transaction costs; and a payment.
    'deposit Received: transfer',
    'executed Swap: trade,trade,fee',
    'fee Sent: fee',
    // Paid by a sponsor.
    'withdraw Sent: transfer',
    'withdraw Sent: transfer,fee',
  ])
  const tokens = await pool.query(
    `select symbol, decimals, spam_reason from tokens where network_id = 'sui' order by symbol`,
  )
  expect(tokens.rows).toEqual([
    { symbol: 'GIFT', decimals: 9, spam_reason: 'advertises' },
    { symbol: 'USDC', decimals: 6, spam_reason: null },
  ])
})

test('syncs at several instants give the same rows as one sync, and a further one changes nothing', async () => {
  const { address } = suiWallets[0]!
  await expectSameRows({
    networkId: 'sui',
    address,
    sync,
    pool,
    later: later.pool,
    atDaysBefore: (days) => (state.nowMs = ANCHOR * 1_000 - days * DAY_MS),
  })
})
