import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { runDay } from './day.ts'
import { report } from './day-report.ts'
import { chainRows, storedRows } from './day-rows.ts'

// A day of 1,000 wallets on six networks with the free plans of nodes and explorers, which keep their books.
// LIVE_HOURS: fewer hours of it.

const hours = Number(process.env['LIVE_HOURS'] || 24)
const database = await testDatabase()

test(`${hours} hours of 1,000 wallets on six networks stay within free plans, and no row is missing`, async () => {
  const day = await runDay({ database, hours })
  onTestFinished(day.stop)
  const { world, worker, pool, joined } = day
  console.log(await report(day))
  expect(worker.failures).toEqual([])
  for (const [account, { broken }] of Object.entries(world.nodes.books))
    expect({ account, broken: [...broken] }).toEqual({ account, broken: [] })
  // Row 23: the free plan of Etherscan lacks BNB, which is asked once an hour.
  expect(world.doubles.etherscan.refused.filter((row) => row !== 23)).toEqual([])
  for (const { refused } of [world.doubles.blockscout, world.doubles.routescan, world.doubles.esplora])
    expect(refused).toEqual([])
  for (const { id, chain, wallets, newcomers, hasExplorer } of world.networks) {
    const asked = joined.filter(({ networkId }) => networkId === id).map(({ address }) => address)
    // Where nobody gives a history, that of newcomers is a stored gap.
    const own = new Set([...wallets, ...(hasExplorer ? asked : [])])
    const through = await cursorOf(id)
    const expected = chainRows(chain, { wallets: own, through, withInternals: hasExplorer })
    expect(await storedRows(pool, { networkId: id, wallets: own })).toEqual(expected)
    expect(chain.made()).toBeGreaterThan(0)
    expect(asked.length).toBeGreaterThan(newcomers.length / 2)
  }
  const { rows } = await pool.query('select state, message, count(*)::int from wallet_coverage group by 1, 2')
  expect(rows).toEqual([{ state: 'synced', message: null, count: expect.any(Number) as number }])

  async function cursorOf(networkId: string): Promise<number> {
    const { rows: found } = await pool.query<{ block: number }>(
      'select cursor_block::int as block from network_follows where network_id = $1',
      [networkId],
    )
    return found[0]!.block
  }
})
