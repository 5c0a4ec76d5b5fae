import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const MAX_BYTES = 10_000_000

export interface LogFile {
  /** Does nothing once it is closed. */
  write: (line: string) => void
  close: () => void
}

/** A log that never grows beyond 10 MB: the full file becomes `<file>.1`, over the one before. */
export function openLogFile(file: string, maxBytes = MAX_BYTES): LogFile {
  mkdirSync(dirname(file), { recursive: true })
  let fd: number | null = openSync(file, 'a')
  let bytes = fstatSync(fd).size
  return {
    write: (line) => {
      if (fd === null) return
      const text = Buffer.from(`${line}\n`)
      if (bytes + text.length > maxBytes) {
        closeSync(fd)
        renameSync(file, `${file}.1`)
        fd = openSync(file, 'a')
        bytes = 0
      }
      bytes += writeSync(fd, text)
    },
    close: () => {
      if (fd !== null) closeSync(fd)
      fd = null
    },
  }
}
