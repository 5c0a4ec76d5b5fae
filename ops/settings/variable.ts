import type { z } from 'zod'

/** Declaration of an environment variable: how it is read, checked and described. */
export interface Variable {
  /** Parser of its text. */
  value: z.ZodType<unknown, string>
  /** Default, as text. */
  default?: string
  /** Markdown for the default on the page, if the default is not a text. */
  shown?: string
  /** Processes that read it, comma-separated; `all`: every process. */
  readBy: string
  /** Markdown that describes its effect. */
  text: string
}

export type Section = Readonly<Record<string, Variable>>
