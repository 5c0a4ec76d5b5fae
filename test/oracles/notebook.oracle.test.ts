import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { exportWorld } from '../export/export-world.ts'
import { insertQuestionsWorld, NOW } from '../export/questions-world.ts'
import { ROOT } from '../docs/read-page.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { installPythonTool } from './install-python-tool.ts'

// Runs docs/notebooks/ten-questions.ipynb in Jupyter. RECORD_NOTEBOOK=1 keeps its output and pictures.

const run = promisify(execFile)
const NOTEBOOK = join(ROOT, 'docs/notebooks/ten-questions.ipynb')

interface Output {
  output_type: string
  name?: string
  text?: string[]
  data?: Record<string, unknown>
}
interface Cell {
  id: string
  cell_type: 'markdown' | 'code'
  source: string[]
  metadata: Record<string, unknown>
  outputs?: Output[]
}
interface Notebook {
  cells: Cell[]
  metadata: Record<string, unknown>
}
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Notebook
const codeOf = ({ cells }: Notebook) => cells.filter((cell) => cell.cell_type === 'code')
/** The kinds of a cell's outputs, for example a text or a picture. */
const kindsOf = ({ outputs = [] }: Cell) =>
  outputs.map(({ output_type: type, name, data }) =>
    data && 'image/png' in data ? 'picture' : (name ?? type),
  )

const database = await testDatabase()
const world = await exportWorld(database)
const api = await startApi({ database, routes: [], overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const { accountId } = await api.newAccount()
const folder = world.newFolder()
let executed: Notebook

beforeAll(async () => {
  const programs = await installPythonTool({
    name: 'notebook-duckdb-1.5.5-pandas-2.3.3-matplotlib-3.11.2',
    requirements: [
      'duckdb==1.5.5',
      'pytz==2026.6',
      'pandas==2.3.3',
      'matplotlib==3.11.2',
      'nbclient==0.11.0',
      'nbformat==5.11.1',
      'ipykernel==7.4.0',
    ],
  })
  await insertQuestionsWorld(database, { owner: api.owner, ingest, accountId })
  await world.run(folder)
  const work = await mkdtemp(join(tmpdir(), 'sluice-notebook-'))
  const output = join(work, 'ten-questions.ipynb')
  await run(join(programs, 'jupyter'), ['execute', NOTEBOOK, `--output=${output}`], {
    env: { ...process.env, PATH: `${programs}:${process.env['PATH']}`, SLUICE_EXPORT: folder, HOME: work },
  })
  executed = read(output)
  return async () => {
    await ingest.close()
    await rm(work, { recursive: true, force: true })
  }
})

test('each question of the notebook draws a picture', () => {
  const [open, exact, ...questions] = codeOf(executed)
  expect(kindsOf(open!)).toEqual([])
  expect(kindsOf(exact!)).toEqual(['stdout'])
  expect(questions).toHaveLength(10)
  for (const cell of questions) expect(kindsOf(cell), cell.id).toContain('picture')
  // A warning of a library would show above the picture.
  for (const cell of questions) expect(kindsOf(cell), cell.id).not.toContain('stderr')
})

test('the notebook shows where pandas loses digits', () => {
  const [exact, pandas] = codeOf(executed)[1]!.outputs![0]!.text!
  expect(exact).toMatch(/^exact: +\d+\.\d{18}\n$/)
  expect(pandas).toMatch(/^pandas: \d+\.\d{1,13}\n$/)
})

test('the stored notebook has the pictures of its code', () => {
  if (process.env['RECORD_NOTEBOOK']) {
    // When a cell ran would change with each recording.
    for (const cell of executed.cells) delete cell.metadata['execution']
    writeFileSync(NOTEBOOK, `${JSON.stringify(executed, null, 1)}\n`)
  }
  const stored = codeOf(read(NOTEBOOK))
  expect(stored.map((cell) => [cell.id, kindsOf(cell)])).toEqual(
    codeOf(executed).map((cell) => [cell.id, kindsOf(cell)]),
  )
})
