const AGAIN_AFTER_MS = 5_000

interface BestEffortOptions {
  /** For the two lines that are logged: that it cannot be written, and that it can again. */
  what: string
  write: () => void
  log: (line: string) => void
}

/**
 * Writes what nothing depends on: a failure, as of a full disk, is told once, and it is tried again until it succeeds
 * or the process ends.
 */
export function bestEffort({ what, write, log }: BestEffortOptions): () => void {
  let retry: NodeJS.Timeout | null = null

  function attempt(): void {
    const failedBefore = retry !== null
    if (retry) clearTimeout(retry)
    retry = null
    try {
      write()
      if (failedBefore) log(`${what} is written again`)
    } catch (error) {
      if (!failedBefore) log(`${what} cannot be written (${(error as Error).message}); everything goes on`)
      retry = setTimeout(attempt, AGAIN_AFTER_MS).unref()
    }
  }
  return attempt
}
