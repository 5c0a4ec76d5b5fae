/** The source did not answer or asked to wait: worth a retry. `retryAfterMs`: the wait it asked for. */
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

/** The source refused the request, or its answer cannot be parsed: the same request would fail again. */
export class SourceRejected extends Error {
  readonly source: string

  constructor(source: string, reason: string) {
    super(`${source}: ${reason}`)
    this.name = 'SourceRejected'
    this.source = source
  }
}

/** The plan or key of the operator does not allow this question: another source must be asked. */
export class NotInPlan extends SourceRejected {}

/** Whether the source is at fault and not this program. */
export const isSourceError = (error: unknown): error is SourceUnavailable | SourceRejected =>
  error instanceof SourceUnavailable || error instanceof SourceRejected
