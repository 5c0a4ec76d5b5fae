import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const MAX_BYTES = 10_000_000

export interface LogFile {
  /** Does nothing after `close`. */
  write: (line: string) => void
  close: () => void
}

interface LogFileOptions {
  /** Called with the reason when the first line is lost. */
  onLost?: (error: Error) => void
  maxBytes?: number
}

/**
 * Opens a log that never grows beyond 10 MB: the full file replaces `<file>.1`. A line that cannot be
 * written, as on a full disk, is lost and counted; the next line is tried again.
 */
export function openLogFile(
  file: string,
  { onLost = () => {}, maxBytes = MAX_BYTES }: LogFileOptions = {},
): LogFile {
  let fd: number | null = null
  let bytes = 0
  let lost = 0
  let isClosed = false

  function open(): number {
    mkdirSync(dirname(file), { recursive: true })
    fd = openSync(file, 'a')
    bytes = fstatSync(fd).size
    return fd
  }

  function close(): void {
    if (fd !== null) closeSync(fd)
    fd = null
  }

  function append(text: Buffer): void {
    let target = fd ?? open()
    if (bytes > 0 && bytes + text.length > maxBytes) {
      close()
      renameSync(file, `${file}.1`)
      target = open()
    }
    for (let at = 0; at < text.length;) {
      const written = writeSync(target, text, at)
      at += written
      bytes += written
    }
  }

  return {
    write: (line) => {
      if (isClosed) return
      try {
        // Begins with a newline, because the last write may have been half a line.
        if (lost > 0) append(Buffer.from(`\n(${lost} lines could not be written)\n`))
        lost = 0
        append(Buffer.from(`${line}\n`))
      } catch (error) {
        if (lost === 0) onLost(error as Error)
        lost++
        close()
      }
    },
    close: () => {
      isClosed = true
      close()
    },
  }
}
