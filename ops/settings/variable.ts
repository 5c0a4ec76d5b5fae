import type { z } from 'zod'

/** One variable of the environment: read, described and checked by this alone. */
export interface Variable {
  /** How its text is read. */
  value: z.ZodType<unknown, string>
  /** What holds where it is not set, as text. */
  default?: string
  /** What the page says of that, where it is no text: Markdown. */
  shown?: string
  /** Processes that read it; "all": every one. */
  readBy: string
  /** What it does: Markdown. */
  text: string
}

export type Section = Readonly<Record<string, Variable>>
