import { access, constants, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { isDataFile } from './data-file.ts'
import { makeFolder } from '../ops/settings/make-folder.ts'
import type { Target } from './target.ts'

const STAGING = '.staging'

/** An export in a folder, which is created if it is missing. */
export function folderTarget(where: string): Target {
  const root = resolve(where)
  return {
    root,
    async withStaging(work) {
      const staging = join(root, STAGING)
      // Removes leftovers of a killed export.
      await rm(staging, { recursive: true, force: true })
      await makeFolder(staging)
      try {
        return await work(staging)
      } finally {
        await rm(staging, { recursive: true, force: true })
      }
    },
    async check() {
      await makeFolder(root)
      await access(root, constants.W_OK)
    },
    readText: (name) => readFile(join(root, name), 'utf8').catch(nullWhereMissing),
    async listData() {
      const entries = await readdir(join(root, 'data'), { recursive: true, withFileTypes: true }).catch(
        nullWhereMissing,
      )
      const names = (entries ?? [])
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        .filter(isDataFile)
      const sizes = await Promise.all(
        names.map(async (name) => [name, (await stat(join(root, name))).size] as const),
      )
      return new Map(sizes)
    },
    async put(path, name) {
      const to = join(root, name)
      await sync(path)
      await makeFolder(dirname(to))
      await rename(path, to)
      await sync(dirname(to))
    },
    remove: (name) => rm(join(root, name), { force: true }),
    localCopy: () => Promise.resolve(root),
  }
}

function nullWhereMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
