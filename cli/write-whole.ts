import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'

interface WriteOptions {
  mode: number
  /** true: throws when the file exists; false: replaces it. */
  exclusive?: boolean
}

/** Writes a file atomically: a full disk, a kill or a power cut never leaves half of it. */
export function writeWhole(file: string, text: string, { mode, exclusive = false }: WriteOptions): void {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, text, { mode, flush: true })
    if (exclusive) linkSync(draft, file)
    else renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}
