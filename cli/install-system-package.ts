import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

const DEADLINE_MS = 600_000

/** Installs a Debian package; needs root. Rejects with the reason when it cannot. */
export async function installSystemPackage(options: {
  name: string
  log: (line: string) => void
}): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('needs root')
  options.log(`${options.name}: installing the Debian package; this takes a minute the first time`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['install', '-y', '-qq', '--no-install-recommends', options.name]
  for (const args of [['update', '-qq'], install])
    await run('apt-get', args, { env, timeout: DEADLINE_MS, maxBuffer: 64 * 1_048_576 }).catch(
      (error: NodeJS.ErrnoException & { stderr?: string }) => {
        if (error.code === 'ENOENT') throw new Error('no program "apt-get" on PATH')
        throw new Error(error.stderr?.trim().split('\n').at(-1) || error.message, { cause: error })
      },
    )
}
