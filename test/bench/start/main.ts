import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../../cli/folders.ts'
import { readArguments } from '../shared/arguments.ts'
import { createCleanup } from '../shared/cleanup.ts'
import { busyReason, machineLine } from '../shared/machine.ts'
import { type TimedStart, timedStart } from './timed-start.ts'

// Time to first data and memory in a fresh clone: with empty caches, with packages and Temporal cached, and for a second
// start. `--build 1`: makes pip unavailable, so that Go builds Temporal if the official download is
// unavailable too.

const GOALS = { nothing: 300, atHand: 45, second: 10 }
const args = readArguments({ build: 0 })
const log = (line: string) => console.log(`bench:start ${line}`)
const run = promisify(execFile)
const busy = busyReason()
const cleanup = createCleanup()

try {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-start-'))
  await chmod(folder, 0o755)
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  const checkout = join(folder, 'sluice')
  await run('git', ['clone', '--quiet', ROOT, checkout])
  const env = await emptyMachine(folder)
  const start = async (title: string): Promise<TimedStart> => {
    log(title)
    return timedStart({ checkout, env, log })
  }
  const nothing = await start('first start with empty caches')
  await rm(join(checkout, '.sluice'), { recursive: true })
  const atHand = await start('first start with packages and Temporal cached')
  const second = await start('second start')
  report({ nothing, atHand, second })
} finally {
  await cleanup.run()
}

/** The environment of a new user: empty caches of npm, pip, Go and the project. */
async function emptyMachine(folder: string): Promise<NodeJS.ProcessEnv> {
  const programs = join(folder, 'bin')
  await mkdir(programs)
  if (args.build > 0) {
    await writeFile(join(programs, 'python3'), '#!/bin/sh\necho "no pip here" >&2\nexit 1\n')
    await chmod(join(programs, 'python3'), 0o755)
  }
  const { SLUICE_HOME: _home, TEMPORAL_ADDRESS: _server, ...inherited } = process.env
  return {
    ...inherited,
    PATH: [programs, process.env.PATH].join(delimiter),
    SLUICE_CACHE: join(folder, 'cache'),
    npm_config_cache: join(folder, 'npm'),
    PIP_CACHE_DIR: join(folder, 'pip'),
    GOPATH: join(folder, 'go'),
    GOCACHE: join(folder, 'go-build'),
    // Otherwise the module cache is read-only and cannot be deleted.
    GOFLAGS: '-modcacherw',
  }
}

function report(starts: Record<keyof typeof GOALS, TimedStart>): void {
  if (args.json) {
    console.log(JSON.stringify({ goals: GOALS, starts, busy }))
    return
  }
  console.log(machineLine())
  if (busy !== null) console.log(`not judged: ${busy}`)
  console.table(
    Object.entries(starts).map(([name, { packages, temporal, calls, summary, origin, memoryMb }]) => ({
      start: name,
      'packages (s)': packages === null ? '' : packages.toFixed(1),
      'Temporal (s)': temporal.toFixed(1),
      'calls (s)': calls.toFixed(1),
      'summary (s)': summary.toFixed(1),
      'goal (s)': GOALS[name as keyof typeof GOALS],
      'Temporal from': origin,
      'peak (MB)': Math.round(memoryMb.peak),
      'a minute later (MB)': Math.round(memoryMb.last),
    })),
  )
}
