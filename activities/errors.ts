/** The source did not answer, or not now: worth another try. `retryAfterMs` when it said so. */
export class SourceUnavailable extends Error {
  readonly source: string
  readonly retryAfterMs: number | null

  constructor(source: string, reason: string, retryAfterMs: number | null = null) {
    super(`${source}: ${reason}`)
    this.name = 'SourceUnavailable'
    this.source = source
    this.retryAfterMs = retryAfterMs
  }
}

/** The source answered and said no, or what it said cannot be read: the same request would fail again. */
export class SourceRejected extends Error {
  readonly source: string

  constructor(source: string, reason: string) {
    super(`${source}: ${reason}`)
    this.name = 'SourceRejected'
    this.source = source
  }
}

/** Whether a source failed, not we. */
export const isSourceError = (error: unknown): error is SourceUnavailable | SourceRejected =>
  error instanceof SourceUnavailable || error instanceof SourceRejected
