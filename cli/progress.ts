const WIDTH = 24

export interface Progress {
  /** `share`: 0 to 1; null: the total is unknown. */
  show: (share: number | null, text: string) => void
  /** Clears the line. */
  end: () => void
}

/** Shows progress in one line on stderr if that is a terminal; otherwise prints nothing. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  let last = ''
  const write = (line: string) => {
    if (!stream.isTTY || line === last) return
    stream.write(`\r\u001B[K${line.slice(0, Math.max(20, stream.columns - 1))}`)
    last = line
  }
  return {
    show: (share, text) => write(share === null ? text : `${bar(share)} ${text}`),
    end: () => write(''),
  }
}

/** `[#######.......]  50 %` */
export function bar(share: number): string {
  const part = Math.min(1, Math.max(0, share))
  const full = Math.round(part * WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${String(Math.floor(part * 100)).padStart(3)} %`
}
