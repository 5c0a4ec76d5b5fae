import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents. Node's own `recursive` loops for ever below /proc, where nothing can be
 * created.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return refuseFile(path)
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    // Another process may have created it meanwhile.
    await mkdir(path).catch((second: NodeJS.ErrnoException) => {
      if (second.code !== 'EEXIST') throw second
    })
  }
}

async function refuseFile(path: string): Promise<void> {
  if ((await stat(path)).isDirectory()) return
  throw Object.assign(new Error(`${path} is a file`), { code: 'ENOTDIR', path })
}
