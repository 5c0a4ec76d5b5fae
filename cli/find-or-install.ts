import { firstOf, programOnPath, workingProgram } from './find-program.ts'
import { installSystemPackage } from './install-system-package.ts'

const VERSION_TIMEOUT_MS = 30_000

interface Wanted {
  /** Its possible names on PATH. */
  names: readonly string[]
  /** Environment variable that may name it. */
  variable?: string
  debianPackage: string
  /** Begins the error when it is not found, such as "no Ruby was found for the test". */
  missing: string
  /** Ends that error. */
  advice: string
}

export interface FindOptions {
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  /** Installs the program on PATH; rejects with the reason when it cannot. */
  install?: (options: { log: (line: string) => void }) => Promise<void>
}

/**
 * Finds a program that tests need: by its variable, else on PATH, else by installing the Debian package. If all
 * fail, the error gives the reason of each.
 */
export async function findOrInstall(wanted: Wanted, options: FindOptions): Promise<string> {
  const { names, variable, debianPackage } = wanted
  const { env, log } = options
  const install = options.install ?? (() => installSystemPackage({ name: debianPackage, log }))
  const path = env['PATH'] ?? ''
  const onPath = async () => {
    const program = await programOnPath(path, names)
    if (program === null) throw new Error(`found none of ${names.join(', ')}`)
    return workingProgram(program, VERSION_TIMEOUT_MS)
  }
  const given = async (program: string | undefined) => {
    if (!program) throw new Error('not set')
    return workingProgram(program, VERSION_TIMEOUT_MS)
  }
  const found = await firstOf([
    ...(variable ? [{ origin: variable, find: () => given(env[variable]) }] : []),
    { origin: 'PATH', find: onPath },
    { origin: `apt-get install ${debianPackage}`, find: () => install({ log }).then(onPath) },
  ])
  if ('program' in found) return found.program
  throw new Error(
    `${wanted.missing}. Tried:\n${found.failures.map((line) => `  - ${line}`).join('\n')}\n${wanted.advice}`,
  )
}
