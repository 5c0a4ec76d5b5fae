/** Result of one comparison. */
export interface Check {
  check: string
  /** Number of things compared. */
  compared: number
  /** Number of things that the worker has yet to bring up to date. */
  behind: number
  /** The first differences, one line each. */
  differences: string[]
}

export const MOST_DIFFERENCES = 100
