import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder, ROOT } from '../../../cli/folders.ts'

const run = promisify(execFile)

/**
 * Installs a Python peer into the cache on first use and returns the folder of its programs. Throws if that
 * fails.
 */
export async function pythonPeer(name: string, log: (line: string) => void): Promise<string> {
  const requirements = join(ROOT, 'test', 'bench', 'peers', name, 'requirements.txt')
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12)
  const folder = join(cacheFolder(), 'bench', `${name}-${digest}`)
  const complete = join(folder, 'complete')
  const isComplete = await access(complete).then(
    () => true,
    () => false,
  )
  if (!isComplete) {
    log(`installing ${name} into ${folder}`)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const draft = `${complete}.new`
    await run('python3', ['-m', 'venv', folder])
    await run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--requirement', requirements], {
      timeout: 300_000,
    })
    await mkdir(draft)
    await rename(draft, complete)
  }
  return join(folder, 'bin')
}
