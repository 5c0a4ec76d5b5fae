import type pg from 'pg'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { rlusd, xrplWallets } from '../../sandbox/xrpl/actors.ts'
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
const { state, xrpl, networkOf } = await startOtherChains()
afterAll(() => Promise.all([first, later].map(({ close }) => close())))
beforeEach(() => {
  state.nowMs = ANCHOR * 1_000
})

const sync = async (address: string, into: pg.Pool = pool) =>
  await syncDirectly({ pool: into, network: await networkOf(into, 'xrpl'), address })

describe.each(xrplWallets)('$label', ({ address }) => {
  test('has each transaction once; legs add up to XRP and tokens of the ledger, and fees are those burnt', async () => {
    const { walletId, openings } = await sync(address)
    const newest = xrpl().validated(ANCHOR)
    const held = xrpl().held(address, newest)!
    const txs = xrpl().of(address, newest)
    expect(openings).toBe(0)
    const { rows } = await pool.query(
      `select coin_id, sum(raw) as raw, sum(raw) filter (where role = 'fee') as fees,
         (select raw from balances where wallet_id = $1 and network_id = 'xrpl' and coin_id = moved.coin_id) as held
       from movements as moved where wallet_id = $1 and network_id = 'xrpl' group by coin_id`,
      [walletId],
    )
    const burnt = txs.reduce((sum, { account, fee }) => (account === address ? sum + fee : sum), 0n)
    expect(rows.find(({ coin_id: id }) => id === 'ripple')).toMatchObject({
      raw: `${held.drops}`,
      held: `${held.drops}`,
      fees: `${-burnt}`,
    })
    const token = `${rlusd.currency}.${rlusd.issuer}_xrp`
    // Micro-units of the sandbox, and 15 places of the service.
    const amount = `${held.rlusd * 10n ** 9n}`
    expect(held.rlusd).toBeGreaterThan(0n)
    expect(rows.find(({ coin_id: id }) => id === token)).toMatchObject({ raw: amount, held: amount })
    const served = await pool.query(
      `select hash from wallet_transactions where wallet_id = $1 and network_id = 'xrpl' order by hash`,
      [walletId],
    )
    expect(served.rows.map(({ hash }) => hash)).toEqual(txs.map(({ hash }) => hash).sort())
  })
})

test('says what each kind of transaction is, and names a token by the text that its code spells', async () => {
  for (const { address } of xrplWallets) await sync(address)
  const { rows } = await pool.query(
    `select distinct type, fragment::json ->> 'type' as label,
       array(select role from movements as moved where moved.wallet_id = served.wallet_id
         and moved.network_id = 'xrpl' and moved.tx_hash = served.hash order by seq) as roles
     from wallet_transactions as served where network_id = 'xrpl'`,
  )
  const kinds = rows.map(({ type, label, roles }) => `${type} ${label}: ${roles.join()}`)
  expect(kinds).toEqual(
    expect.arrayContaining([
      'executed Swap: trade,trade,fee',
      'fee Sent: fee',
      'deposit Received: transfer',
      'withdraw Sent: transfer,fee',
    ]),
  )
  const tokens = await pool.query(
    `select symbol, decimals, spam_reason from tokens where network_id = 'xrpl'`,
  )
  expect(tokens.rows).toEqual([{ symbol: 'RLUSD', decimals: 15, spam_reason: null }])
})

test('syncs at several instants give the same rows as one sync, and a further one changes nothing', async () => {
  const { address } = xrplWallets[0]!
  await expectSameRows({
    networkId: 'xrpl',
    address,
    sync,
    pool,
    later: later.pool,
    atDaysBefore: (days) => (state.nowMs = ANCHOR * 1_000 - days * DAY_MS),
  })
})
