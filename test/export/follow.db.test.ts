import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { followExports } from '../../export/follow-exports.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { ROOT } from '../docs/read-page.ts'
import { askCatalog } from './compare-examples.ts'
import { exportWorld, insertHistory } from './export-world.ts'

const database = await testDatabase()
const world = await exportWorld(database)

test('sluice export --follow exports what changed by the next round', async () => {
  await insertHistory(database.ownerUrl)
  const folder = world.newFolder()
  const program = join(ROOT, 'cli/main.ts')
  const child = spawn(process.execPath, [program, 'export', '--follow', '--every', '10', '--to', folder], {
    env: { ...process.env, DATABASE_URL: database.ownerUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async () => String((await lines.next()).value)
    expect(await next()).toMatch(/^\d{4}-.*Z {2}.*price_days/)
    await query(
      database.ownerUrl,
      `update price_days set usd = 3 where coin_id = 'coin-1' and at = '2026-02-03Z'`,
    )
    let line = await next()
    // The change may come just after a round began.
    if (line.endsWith('nothing changed')) line = await next()
    expect(line).toMatch(/Z {2}price_days$/)
    const changed = await askCatalog(
      folder,
      'select change, usd::double as usd from changes.price_days order by change',
    )
    expect(changed).toEqual([
      { change: 'delete', usd: expect.any(Number) },
      { change: 'insert', usd: 3 },
    ])
  } finally {
    child.kill()
    await exited
  }
}, 90_000)

test('a failed export is told, and the next one runs at the next round', async () => {
  const stop = new AbortController()
  const told: string[] = []
  const startsMs: number[] = []
  await followExports({
    run: async () => {
      startsMs.push(Date.now())
      if (startsMs.length === 1) throw new Error('no database')
      return Promise.resolve({ exportedAt: String(startsMs.length), datasets: [] })
    },
    everyMs: 200,
    tell: ({ exportedAt }) => {
      told.push(exportedAt)
      if (told.length === 3) stop.abort()
    },
    failed: (error) => void told.push((error as Error).message),
    signal: stop.signal,
  })
  expect(told).toEqual(['no database', '2', '3'])
  // Rounds begin at multiples, and timers are late and never early by more than a millisecond.
  for (const [index, startMs] of startsMs.slice(1).entries())
    expect(Math.floor((startMs + 1) / 200)).toBeGreaterThan(Math.floor((startsMs[index]! + 1) / 200))
})
