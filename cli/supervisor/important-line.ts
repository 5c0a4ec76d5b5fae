const WARN = 40

/** What of a child's output belongs on the console: warnings and worse; null for the rest, which is in its log file. */
export function importantLine({ service, line }: { service: string; line: string }): string | null {
  if (service === 'chain-fill')
    return line.startsWith('sandbox chain: ') ? line.slice('sandbox chain: '.length) : null
  if (service === 'postgres') return /\b(FATAL|PANIC)\b/.test(line) && !isExpected(line) ? line : null
  // As it starts, the production server finds shards without an owner, and says so with a stack for each.
  if (service === 'temporal') return /level=(error|fatal)|"level":"fatal"/.test(line) ? line : null
  const entry = parse(line)
  if (!entry) return null
  return entry.level >= WARN ? [entry.msg, entry.err?.message].filter(Boolean).join(': ') : null
}

/** Postgres reports every connection that is cut as fatal, also when it was told to shut down. */
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
