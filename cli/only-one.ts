import { dirname } from 'node:path'
import { lock } from 'proper-lockfile'
import { makeFolder } from '../ops/settings/make-folder.ts'

const WAITS = 1_800

interface OnlyOneOptions<Result> {
  /** File to make. The lock is a folder beside it; the lock of a dead process expires after ten seconds. */
  target: string
  /** Called once when another process is already making the file. */
  onWait: () => void
  make: () => Promise<Result>
}

/** Lets one process of this machine make a file while the others wait, up to half an hour. */
export async function onlyOne<Result>({ target, onWait, make }: OnlyOneOptions<Result>): Promise<Result> {
  await makeFolder(dirname(target))
  const take = (retries: number) =>
    lock(target, { realpath: false, retries: { retries, factor: 1, minTimeout: 1_000, maxTimeout: 1_000 } })
  const release = await take(0).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ELOCKED') throw error
    onWait()
    return take(WAITS)
  })
  try {
    return await make()
  } finally {
    await release()
  }
}
