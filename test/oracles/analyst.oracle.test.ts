import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { blocksOf, readPage } from '../docs/read-page.ts'
import { exportWorld, insertHistory } from '../export/export-world.ts'
import { testDatabase } from '../setup/database.ts'
import { installPythonTool } from './install-python-tool.ts'

// Runs the examples of docs/analyst.md for Python and for DuckDB's command line.

const run = promisify(execFile)
const database = await testDatabase()
const world = await exportWorld(database)
const folder = world.newFolder()
const blocks = blocksOf(readPage('docs/analyst.md'))
const ofKind = (kind: string) =>
  blocks
    .filter((block) => block.kind === kind)
    .map(({ text }) => text.replaceAll('/tmp/sluice-export', folder))
let programs: string

beforeAll(async () => {
  programs = await installPythonTool({
    name: 'duckdb-1.5.5-polars-2.1.0',
    requirements: ['duckdb==1.5.5', 'duckdb-cli==1.5.5', 'polars==2.1.0'],
  })
  await insertHistory(database.ownerUrl)
  await world.run(folder)
})

test("DuckDB's command line opens the catalog", async () => {
  const [open] = ofKind('console')
  const { stdout } = await run('bash', ['-euc', `PATH=${programs}:$PATH\n${open}`])
  expect(stdout).toMatch(/\b450\b/)
})

test('Python reads exact numbers from the catalog, and reads the files without it', async () => {
  const scripts = ofKind('python')
  expect(scripts).toHaveLength(2)
  const [catalog, files] = await Promise.all(
    scripts.map((script) => run(join(programs, 'python'), ['-c', script])),
  )
  expect(catalog!.stdout.split('\n')).toEqual([
    expect.stringMatching(/^coin-1 90 \d+\.\d{28}$/),
    expect.stringMatching(/^coin-2 90 /),
    expect.stringMatching(/^coin-3 90 /),
    '',
  ])
  expect(files!.stdout).toMatch(/coin-5\W+90\b/)
})
