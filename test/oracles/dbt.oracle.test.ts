import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, expect, test } from 'vitest'
import { DATASETS } from '../../export/datasets.ts'
import { DBT_SOURCES } from '../../export/dbt-sources.ts'
import { QUESTIONS } from '../../export/questions.ts'
import { VIEWS } from '../../export/views.ts'
import { blocksOf, readPage } from '../docs/read-page.ts'
import { exportWorld, insertHistory } from '../export/export-world.ts'
import { testDatabase } from '../setup/database.ts'
import { installPythonTool } from './install-python-tool.ts'

// dbt builds a model on the sources of an export, with the profile of docs/analyst.md.

const run = promisify(execFile)
const database = await testDatabase()
const world = await exportWorld(database)
const folder = world.newFolder()
let project: string
let dbt: (...args: string[]) => Promise<string>

beforeAll(async () => {
  const programs = await installPythonTool({
    name: 'dbt-duckdb-1.10.1',
    requirements: ['dbt-core==1.10.23', 'dbt-duckdb==1.10.1', 'duckdb==1.5.5', 'pytz==2026.6'],
  })
  await insertHistory(database.ownerUrl)
  await world.run(folder)
  project = await mkdtemp(join(tmpdir(), 'sluice-dbt-'))
  const write = (name: string, text: string) => writeFile(join(project, name), text)
  const [profile, model] = ['yaml', 'jinja'].map(
    (kind) => blocksOf(readPage('docs/analyst.md')).find((block) => block.kind === kind)!.text,
  )
  await mkdir(join(project, 'models'))
  await write('dbt_project.yml', 'name: analysis\nversion: "1.0"\nprofile: sluice\nmodel-paths: [models]\n')
  await write('profiles.yml', profile!.replaceAll('/tmp/sluice-export', folder))
  await write('models/first_prices.sql', model!)
  await copyFile(join(folder, DBT_SOURCES), join(project, 'models/sluice.yml'))
  dbt = async (...args) => {
    const env = { ...process.env, DBT_SEND_ANONYMOUS_USAGE_STATS: 'false', DO_NOT_TRACK: '1' }
    const { stdout } = await run(
      join(programs, 'dbt'),
      ['--no-use-colors', ...args, '--project-dir', project, '--profiles-dir', project],
      { cwd: project, env },
    )
    return stdout
  }
  return () => rm(project, { recursive: true, force: true })
})

test('dbt knows every view of the catalog', async () => {
  const listed = await dbt('--quiet', 'ls', '--resource-type', 'source')
  const names = [...DATASETS, ...VIEWS, ...QUESTIONS].map(({ name }) => `source:analysis.sluice.${name}`)
  expect(listed.trim().split('\n').sort()).toEqual(names.sort())
})

test('dbt builds the model of the page', async () => {
  expect(await dbt('build')).toMatch(/PASS=1 .*ERROR=0/)
  const instance = await DuckDBInstance.create(join(project, 'models.duckdb'))
  const duckdb = await instance.connect()
  const found = (await duckdb.runAndReadAll('from first_prices order by coin_id limit 1')).getRowObjectsJson()
  duckdb.closeSync()
  instance.closeSync()
  expect(found).toMatchObject([{ coin_id: 'coin-1', since: expect.stringMatching(/^2026-01-01/) }])
})
