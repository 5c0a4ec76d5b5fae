import { firstOf, programOnPath, workingProgram } from '../find-program.ts'
import { installSystemPackage } from '../install-system-package.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const VERSION_TIMEOUT_MS = 30_000

interface FindOptions {
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  /** Installs the program on PATH; rejects with the reason when it cannot. */
  install?: (options: { log: (line: string) => void }) => Promise<void>
}

/**
 * Finds the browser of the tests: CHROMIUM_PATH, else a program on PATH, else the Debian package. If all
 * fail, the error gives the reason of each.
 */
export async function findChromium({ env, log, install = installDebians }: FindOptions): Promise<string> {
  const path = env['PATH'] ?? ''
  const found = await firstOf([
    { origin: 'CHROMIUM_PATH', find: async () => given(env['CHROMIUM_PATH']) },
    { origin: 'PATH', find: () => onPath(path) },
    { origin: 'apt-get install chromium', find: () => install({ log }).then(() => onPath(path)) },
  ])
  if ('program' in found) return found.program
  throw new Error(
    `no Chromium was found for the browser test. Tried:\n${found.failures.map((line) => `  - ${line}`).join('\n')}\n` +
      'Install Chromium or Chrome, or set CHROMIUM_PATH to one.',
  )
}

const installDebians = ({ log }: { log: (line: string) => void }) =>
  installSystemPackage({ name: 'chromium', log })

async function given(program: string | undefined): Promise<string> {
  if (!program) throw new Error('not set')
  return workingProgram(program, VERSION_TIMEOUT_MS)
}

async function onPath(path: string): Promise<string> {
  const program = await programOnPath(path, NAMES)
  if (program === null) throw new Error(`found none of ${NAMES.join(', ')}`)
  return workingProgram(program, VERSION_TIMEOUT_MS)
}
