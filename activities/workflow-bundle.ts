import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type Logger } from '@temporalio/worker'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The folders of this repository that a workflow may import. */
const FOLDERS = ['workflows', 'db/values']

/**
 * The workflow code for the worker. Bundling takes seconds, so a bundle of the same files and packages is
 * reused from `cacheFolder`. null: always bundle
 */
export async function workflowBundle(cacheFolder: string | null, logger: Logger): Promise<{ code: string }> {
  const file = cacheFolder && (await bundleFile(cacheFolder))
  if (file && existsSync(file)) return { code: await readFile(file, 'utf8') }
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows/index.ts'),
    workflowInterceptorModules: [join(ROOT, 'workflows/carry-trace.ts')],
    logger,
  })
  if (cacheFolder && file) {
    // Written under another name and renamed, because another worker may read it at the same time.
    const draft = `${file}.${process.pid}`
    try {
      await mkdir(cacheFolder, { recursive: true })
      await writeFile(draft, code)
      await rename(draft, file)
    } catch (error) {
      logger.warn(`cannot cache the bundled workflows: ${(error as Error).message}`)
      await rm(draft, { force: true }).catch(() => {})
    }
  }
  return { code }
}

/** The file that caches the bundle of the present workflows. */
export async function bundleFile(cacheFolder: string): Promise<string> {
  return join(cacheFolder, `workflows-${await fingerprint()}.js`)
}

/** Hash of all inputs of the bundle. The lock file stands for the packages. */
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
