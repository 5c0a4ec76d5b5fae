import { join } from 'node:path'
import { firstOf, workingProgram } from '../find-program.ts'
import { goInstall } from '../go-install.ts'

const VERSION = '1.29.1'
const TIMEOUT_MS = 20_000

export interface TemporalPrograms {
  server: string
  sqlTool: string
}

interface FindOptions {
  env: NodeJS.ProcessEnv
  cacheFolder: string
  log: (line: string) => void
}

/** Temporal's production server and the tool that makes its schema: out of the cache, else built with Go. */
export async function temporalPrograms(options: FindOptions): Promise<TemporalPrograms> {
  return {
    server: await find(options, 'temporal-server', 'go.temporal.io/server/cmd/server'),
    sqlTool: await find(options, 'temporal-sql-tool', 'go.temporal.io/server/cmd/tools/sql'),
  }
}

async function find({ env, cacheFolder, log }: FindOptions, name: string, program: string): Promise<string> {
  const target = join(cacheFolder, `temporal-server-${VERSION}`, name)
  const working = () => workingProgram(target, TIMEOUT_MS)
  const build = () => goInstall({ program, version: VERSION, target, env, name, log })
  const found = await firstOf([
    { origin: 'cache', find: working },
    { origin: 'go install', find: () => build().then(working) },
  ])
  if ('program' in found) return found.program
  throw new Error(
    `${name} ${VERSION} was not found:\n${found.failures.map((line) => `  - ${line}`).join('\n')}`,
  )
}
