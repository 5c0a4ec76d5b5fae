import { join } from 'node:path'
import { goProgram } from '../go-install.ts'

const VERSION = '1.29.1'

export interface TemporalPrograms {
  server: string
  sqlTool: string
}

interface FindOptions {
  env: NodeJS.ProcessEnv
  cacheFolder: string
  log: (line: string) => void
}

/** Returns Temporal's production server and its schema tool from the cache, or builds them with Go. */
export async function temporalPrograms({ cacheFolder, ...options }: FindOptions): Promise<TemporalPrograms> {
  const find = (name: string, program: string) => {
    const target = join(cacheFolder, `temporal-server-${VERSION}`, name)
    return goProgram({ ...options, name, program, version: VERSION, target })
  }
  return {
    server: await find('temporal-server', 'go.temporal.io/server/cmd/server'),
    sqlTool: await find('temporal-sql-tool', 'go.temporal.io/server/cmd/tools/sql'),
  }
}
