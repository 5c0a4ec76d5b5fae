import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'

interface WriteOptions {
  mode: number
  /** Throws when the file is there already; otherwise it is replaced. */
  exclusive?: boolean
}

/** Writes a file that is never there in part: not on a full disk, not after a kill, not after a power cut. */
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
