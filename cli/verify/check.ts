/** What one comparison found. */
export interface Check {
  check: string
  /** Things that were compared. */
  compared: number
  /** Things that the worker has yet to bring up to date. */
  behind: number
  /** The first of what differs, each in a line. */
  differences: string[]
}

export const MOST_DIFFERENCES = 100
