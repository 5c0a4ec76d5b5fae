import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { folderTarget } from '../../export/folder-target.ts'
import { readManifest } from '../../export/manifest.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { askCatalog } from './compare-examples.ts'
import { CHANGES, exportWorld, insertHistory } from './export-world.ts'

// Fifty changes with an export after every five, each killed at another moment.

const database = await testDatabase()
const world = await exportWorld(database)
const rows = (sql: string) => query(database.ownerUrl, sql)

beforeAll(() => insertHistory(database.ownerUrl))

/** Starts an export and kills it after `afterMs`. Returns whether it was still running. */
async function killed(folder: string, afterMs: number): Promise<boolean> {
  const program = join(import.meta.dirname, 'export-process.ts')
  const env = { ...process.env, DATABASE_URL: database.ingestUrl }
  const child = spawn(process.execPath, [program, folder], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  await sleep(afterMs)
  child.kill('SIGKILL')
  const [, signal] = await exited
  return signal === 'SIGKILL'
}

test('after a kill at any moment readers see the old or the new export, and the next export succeeds', async () => {
  const folder = world.newFolder()
  const startMs = Date.now()
  await world.run(folder)
  const wholeMs = Date.now() - startMs
  let kills = 0
  let random = 7
  for (let round = 0; round < 10; round++) {
    for (let change = 0; change < 5; change++) {
      random = (random * 48_271) % 2_147_483_647
      await rows(CHANGES[random % CHANGES.length]!(random % 300))
    }
    const before = await readManifest(folderTarget(folder))
    if (await killed(folder, Math.round((wholeMs * 1.2 * round) / 10))) kills++
    const found = await world.verify(folder)
    expect(found.differences).toEqual([])
    expect((await readManifest(folderTarget(folder)))!.exportedAt >= before!.exportedAt).toBe(true)
    const [views] = await askCatalog(folder, 'select count(*) as n from price_days')
    expect(Number(views!['n'])).toBeGreaterThan(0)
    if (round % 5 !== 4) continue
    await world.run(folder)
    const { differences, datasets } = await world.verify(folder)
    expect(differences).toEqual([])
    expect(datasets.every(({ changedSince }) => changedSince === 0)).toBe(true)
  }
  expect(kills).toBeGreaterThan(2)
}, 300_000)
