import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs'
import { dirname } from 'node:path'

const MAX_BYTES = 10_000_000

export interface LogFile {
  write: (line: string) => void
  close: () => void
}

/** A log that never grows beyond 10 MB: the full file becomes `<file>.1`, over the one before. */
export function openLogFile(file: string, maxBytes = MAX_BYTES): LogFile {
  mkdirSync(dirname(file), { recursive: true })
  let stream: WriteStream = createWriteStream(file, { flags: 'a' })
  let bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return {
    write: (line) => {
      bytes += Buffer.byteLength(line) + 1
      if (bytes > maxBytes) {
        stream.end()
        renameSync(file, `${file}.1`)
        stream = createWriteStream(file, { flags: 'a' })
        bytes = Buffer.byteLength(line) + 1
      }
      stream.write(`${line}\n`)
    },
    close: () => stream.end(),
  }
}
