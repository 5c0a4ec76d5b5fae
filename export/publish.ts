import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'

const DATA = 'data'
const STAGING = '.staging'

/** An empty folder for what is not published yet; leftovers of an export that was killed go. */
export async function emptyStaging(folder: string): Promise<string> {
  const staging = join(folder, STAGING)
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging, { recursive: true })
  return staging
}

export const removeStaging = (folder: string) => rm(join(folder, STAGING), { recursive: true, force: true })

/** Gives a finished file its name, in place of what has it: there is always the old one or the new one, whole. */
export async function putInPlace(from: string, to: string): Promise<void> {
  await sync(from)
  await mkdir(dirname(to), { recursive: true })
  await rename(from, to)
  await sync(dirname(to))
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Where the file of a partition with this content belongs, in the folder of the export. */
export const dataFile = (dataset: string, partition: string, sha256: string): string =>
  `${DATA}/${dataset}/${partition}.${sha256.slice(0, 16)}.parquet`

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Named as `dataFile` does: of nothing else in the folder is it certain that an export made it. */
const OURS = /^data\/[a-z_]+\/[0-9a-z-]+\.[0-9a-f]{16}\.parquet$/

/** All data files that are there, published or not. */
export async function listData(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, DATA), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => OURS.test(file))
    .sort()
}
