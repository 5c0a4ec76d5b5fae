import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { installChromium } from './install-chromium.ts'

const run = promisify(execFile)

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

interface FindOptions {
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  /** Puts the program onto PATH; rejects with the reason when it cannot. */
  install?: (options: { log: (line: string) => void }) => Promise<void>
}

/**
 * Finds the browser of the tests in the order: CHROMIUM_PATH, a program on PATH, the package of Debian. When all fail the
 * error names each try and why it failed.
 */
export async function findChromium({ env, log, install = installChromium }: FindOptions): Promise<string> {
  const failures: string[] = []
  const tries: { origin: string; find: () => Promise<string> }[] = [
    { origin: 'CHROMIUM_PATH', find: async () => working(env['CHROMIUM_PATH']) },
    { origin: 'PATH', find: () => onPath(env['PATH'] ?? '') },
    {
      origin: 'apt-get install chromium',
      find: () => install({ log }).then(() => onPath(env['PATH'] ?? '')),
    },
  ]
  for (const { origin, find } of tries) {
    try {
      return await find()
    } catch (error) {
      failures.push(`${origin}: ${(error as Error).message}`)
    }
  }
  throw new Error(
    `no Chromium was found for the browser test. What was tried:\n${failures.map((line) => `  - ${line}`).join('\n')}\n` +
      'Install Chromium or Chrome, or set CHROMIUM_PATH to one.',
  )
}

async function onPath(path: string): Promise<string> {
  for (const name of NAMES)
    for (const folder of path.split(delimiter).filter((entry) => entry !== '')) {
      const program = join(folder, name)
      if (await isExecutable(program)) return working(program)
    }
  throw new Error(`none of ${NAMES.join(', ')} is there`)
}

/** The program itself, once it has told its version. */
async function working(program: string | undefined): Promise<string> {
  if (!program) throw new Error('not set')
  if (!(await isExecutable(program))) throw new Error(`${program} is not there`)
  try {
    await run(program, ['--version'], { timeout: 30_000 })
  } catch (error) {
    throw new Error(`${program} does not run: ${(error as Error).message.trim()}`, { cause: error })
  }
  return program
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}
