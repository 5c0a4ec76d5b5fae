import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { runDay } from './day.ts'
import { dayAllowance } from './day-nodes.ts'
import { report } from './day-report.ts'
import { compareRows } from './day-rows.ts'

/*
 * A day of 1,000 wallets on six networks with the free plans of nodes and explorers, which keep their books: followers
 * of five EVM networks and of Bitcoin, what derives, the sync of newcomers, and the comparison of quiet balances. At the
 * end each stored transfer and balance is compared with the chains.
 * Not in it: Solana, DeFi, prices and P&L, rewinds (tests of followers have them), and Temporal, whose activities run
 * here one after the other.
 * LIVE_HOURS: fewer hours of it.
 */

const hours = Number(process.env['LIVE_HOURS'] || 24)
const database = await testDatabase()

test(`${hours} hours of 1,000 wallets on six networks stay within free plans, and no row is missing`, async () => {
  const day = await runDay({ database, hours })
  onTestFinished(day.stop)
  const { world, worker, pool, joined } = day
  const compared = await compareRows(day)
  console.log(await report(day, compared))
  expect(worker.failures).toEqual([])
  for (const [account, { broken, spent }] of Object.entries(world.nodes.books)) {
    expect({ account, broken: [...broken] }).toEqual({ account, broken: [] })
    // One day does not break the quota of a month, so it may use its share only.
    expect(spent('day'), account).toBeLessThanOrEqual(dayAllowance(account))
  }
  // Row 23: the free plan of Etherscan lacks BNB, which is asked once an hour.
  expect(world.doubles.etherscan.refused.filter((row) => row !== 23)).toEqual([])
  for (const { refused } of [world.doubles.blockscout, world.doubles.routescan, world.doubles.esplora])
    expect(refused).toEqual([])
  for (const { stored, expected } of compared) {
    expect(stored).toEqual(expected)
    expect(stored.transfers.length).toBeGreaterThan(0)
  }
  for (const { id, newcomers } of world.networks)
    expect(joined.filter(({ networkId }) => networkId === id).length).toBeGreaterThan(newcomers.length / 2)
  const { rows } = await pool.query('select state, message, count(*)::int from wallet_coverage group by 1, 2')
  expect(rows).toEqual([{ state: 'synced', message: null, count: expect.any(Number) as number }])
})
