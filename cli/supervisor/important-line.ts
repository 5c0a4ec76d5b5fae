const WARN = 40

/**
 * Returns what the console shows of a line from a child: warnings and worse. null: the line is in the log
 * file only.
 */
export function importantLine({ service, line }: { service: string; line: string }): string | null {
  if (service === 'chain-fill')
    return line.startsWith('sandbox chain: ') ? line.slice('sandbox chain: '.length) : null
  if (service === 'postgres') return /\b(FATAL|PANIC)\b/.test(line) && !isExpected(line) ? line : null
  // At start the production server finds shards without an owner and logs each with a stack trace.
  if (service === 'temporal') return /level=(error|fatal)|"level":"fatal"/.test(line) ? line : null
  const entry = parse(line)
  if (!entry) return null
  return entry.level >= WARN ? [entry.msg, entry.err?.message].filter(Boolean).join(': ') : null
}

/** Postgres logs every cut connection as FATAL, even after it was told to shut down. */
function isExpected(line: string): boolean {
  return /terminating connection|the database system is (starting up|shutting down|not yet accepting)/.test(
    line,
  )
}

interface LogEntry {
  level: number
  msg?: string
  err?: { message?: string }
}

function parse(line: string): LogEntry | null {
  if (!line.startsWith('{')) return null
  try {
    const entry = JSON.parse(line) as Partial<LogEntry>
    return typeof entry.level === 'number' ? (entry as LogEntry) : null
  } catch {
    return null
  }
}
