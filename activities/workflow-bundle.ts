import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type Logger } from '@temporalio/worker'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** What the import rules let a workflow use of ours. */
const FOLDERS = ['workflows', 'db/values']

/**
 * The script that the worker runs workflows from. Bundling takes seconds: what was bundled from the same files and
 * packages is taken from `cacheFolder`; null: it is bundled anew.
 */
export async function workflowBundle(cacheFolder: string | null, logger: Logger): Promise<{ code: string }> {
  const file = cacheFolder && join(cacheFolder, `workflows-${await fingerprint()}.js`)
  if (file && existsSync(file)) return { code: await readFile(file, 'utf8') }
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows/index.ts'),
    workflowInterceptorModules: [join(ROOT, 'workflows/carry-trace.ts')],
    logger,
  })
  if (cacheFolder && file) {
    // Another worker may be at it as well: a reader sees all of it or nothing.
    const draft = `${file}.${process.pid}`
    try {
      await mkdir(cacheFolder, { recursive: true })
      await writeFile(draft, code)
      await rename(draft, file)
    } catch (error) {
      logger.warn(`the bundled workflows are not kept: ${(error as Error).message}`)
      await rm(draft, { force: true }).catch(() => {})
    }
  }
  return { code }
}

/** Of all that a bundle is made of; the packages stand in the lock file. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  const files = (await Promise.all(FOLDERS.map((folder) => filesOf(join(ROOT, folder))))).flat()
  for (const file of [join(ROOT, 'package-lock.json'), ...files])
    hash
      .update(`${file.slice(ROOT.length)}\0`)
      .update(await readFile(file))
      .update('\0')
  return hash.digest('hex').slice(0, 32)
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
}
