import { firstOf, programOnPath, workingProgram } from '../../cli/find-program.ts'
import { installSystemPackage } from '../../cli/install-system-package.ts'

const VERSION_TIMEOUT_MS = 30_000

interface FindOptions {
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  /** Installs the program on PATH; rejects with the reason when it cannot. */
  install?: (options: { log: (line: string) => void }) => Promise<void>
}

/** Finds Ruby on PATH, else installs the Debian package. If both fail, the error gives the reason of each. */
export async function findRuby({ env, log, install = installDebians }: FindOptions): Promise<string> {
  const path = env['PATH'] ?? ''
  const found = await firstOf([
    { origin: 'PATH', find: () => onPath(path) },
    { origin: 'apt-get install ruby', find: () => install({ log }).then(() => onPath(path)) },
  ])
  if ('program' in found) return found.program
  throw new Error(
    `no Ruby was found for the test of its standard client. Tried:\n` +
      `${found.failures.map((line) => `  - ${line}`).join('\n')}\nInstall Ruby.`,
  )
}

const installDebians = ({ log }: { log: (line: string) => void }) =>
  installSystemPackage({ name: 'ruby', log })

async function onPath(path: string): Promise<string> {
  const program = await programOnPath(path, ['ruby'])
  if (program === null) throw new Error('found no program "ruby"')
  return workingProgram(program, VERSION_TIMEOUT_MS)
}
