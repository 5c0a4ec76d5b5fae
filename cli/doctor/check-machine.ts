import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { dirname } from 'node:path'
import type { Target } from '../../export/target.ts'
import { readSettings } from '../../ops/settings/read-settings.ts'
import { isFree } from '../supervisor/free-port.ts'
import { isRunning } from '../supervisor/process-mark.ts'
import type { Run } from '../supervisor/run-file.ts'
import { attempt, fail, type Finding, ok, warn } from './finding.ts'

const GB = 1e9
/** Memory of the sandbox with its two chains, and disk space for its first weeks. */
const [LEAST_MEMORY, GOOD_MEMORY] = [2 * GB, 4 * GB]
const [LEAST_DISK, GOOD_DISK] = [1 * GB, 10 * GB]
const OLDEST_NODE = 24

interface Input {
  home: string
  /** Target of exports. */
  exports: () => Target
  run: Run | null
  env: Record<string, string | undefined>
}

/** Checks Node, memory, disk, folders and ports. */
export async function checkMachine({ home, exports, run, env }: Input): Promise<Finding[]> {
  return [
    node(),
    memory(),
    ...(await attempt('disk', () => disk(home), `see the disk of ${home}`)),
    ...(await attempt(
      'exports',
      async () => {
        const target = exports()
        await target.check()
        return ok('exports', target.root)
      },
      'let this user write there, or set EXPORT_TO to another place',
    )),
    ...(await attempt('DuckDB', duckDb, 'install the packages again: rm -r node_modules; npm ci')),
    ...(run && isRunning(run.supervisor)
      ? services(run)
      : await attempt('ports', () => ports(env), 'see docs/configuration.md')),
  ]
}

function node(): Finding {
  const version = process.versions.node
  if (Number(version.split('.')[0]) >= OLDEST_NODE) return ok('Node', version)
  return fail(
    'Node',
    version,
    'start it with "npx sluice" or npm, which use the Node version of the lock file',
  )
}

function memory(): Finding {
  const detail = `${(totalmem() / GB).toFixed(1)} GB, ${cpus().length} cores`
  if (totalmem() < LEAST_MEMORY) return fail('memory', detail, 'give it 4 GB')
  return totalmem() < GOOD_MEMORY
    ? warn('memory', detail, 'give it 4 GB, or run without the sandbox')
    : ok('memory', detail)
}

async function disk(home: string): Promise<Finding> {
  let folder = home
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const detail = `${(free / GB).toFixed(1)} GB free at ${folder}`
  if (free < LEAST_DISK)
    return fail('disk', detail, 'free some space, or set SLUICE_HOME to a folder on another disk')
  return free < GOOD_DISK
    ? warn('disk', detail, 'watch it: Postgres stops when the disk is full')
    : ok('disk', detail)
}

async function duckDb(): Promise<Finding> {
  const { DuckDBInstance, version } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:')
  try {
    const connection = await instance.connect()
    await connection.run('select 1')
    connection.closeSync()
  } finally {
    instance.closeSync()
  }
  return ok('DuckDB', version())
}

/** Checks each part of a running installation. */
function services({ children, supervisor, ports }: Run): Finding[] {
  const down = Object.entries(children).filter(([, mark]) => !isRunning(mark))
  if (down.length === 0)
    return [
      ok(
        'services',
        `${Object.keys(children).length} run under pid ${supervisor.pid}, API at ${ports['api']}`,
      ),
    ]
  return down.map(([name]) =>
    fail(
      `service ${name}`,
      'it does not run',
      `see the end of logs/${name}.log in the home of the installation`,
    ),
  )
}

/** Checks that the ports are free when nothing runs yet. */
async function ports(env: Input['env']): Promise<Finding[]> {
  const wanted = readSettings(env, { optional: ['API_PORT', 'GATEWAY_PORT'] })
  return Promise.all(
    Object.entries(wanted).map(async ([name, port]) =>
      (await isFree(port))
        ? ok(`port ${port}`, 'free')
        : warn(
            `port ${port}`,
            'in use by another program',
            `"sluice start" uses another port, or set ${name}`,
          ),
    ),
  )
}
