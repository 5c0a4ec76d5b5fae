const AGAIN_AFTER_MS = 5_000

interface BestEffortOptions {
  /** Name of the written thing in the log. */
  what: string
  write: () => void
  log: (line: string) => void
}

/**
 * Returns a function that writes something on which nothing depends. A failure, such as a full disk, is
 * logged once; the write is retried until it succeeds or the process ends.
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
      if (!failedBefore)
        log(`${what} cannot be written (${(error as Error).message}); everything else continues`)
      retry = setTimeout(attempt, AGAIN_AFTER_MS).unref()
    }
  }
  return attempt
}
