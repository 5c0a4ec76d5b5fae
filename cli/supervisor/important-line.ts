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
  if (!entry || entry.level < WARN || isExpectedOfWorker(entry)) return null
  if (entry.msg === 'Activity failed') return failedActivity(entry)
  if (entry.level === WARN && isRepeated(entry)) return null
  return [entry.msg, entry.err?.message ?? entry.reason].filter(Boolean).join(': ')
}

/**
 * Names the activity, the source with its cause, and what happens next. null: Temporal tries it again, and the first
 * attempt was shown.
 */
function failedActivity(entry: LogEntry): string | null {
  const { activityType, error } = entry
  // Other errors are tried again: see workflows/policies.ts.
  const isFinal = error?.type === 'SourceRejected' || error?.type === 'NotInPlan'
  if (!isFinal && isRepeated(entry)) return null
  const next = isFinal ? 'not tried again before its next run' : 'it is tried again'
  return `${activityType} failed: ${error?.message}; ${next}`
}

const isRepeated = ({ attempt = 1 }: LogEntry): boolean => attempt > 1

/** The worker that follows heads has activities only. */
const isExpectedOfWorker = ({ msg = '' }: LogEntry): boolean => msg.startsWith('No workflows registered')

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
  /** of a source that failed, while another one may answer */
  reason?: string
  /** of an activity, from 1 */
  attempt?: number
  activityType?: string
  error?: { type?: string; message?: string }
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
