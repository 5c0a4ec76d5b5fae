import { z } from 'zod'
import { secondsField } from '../fields.ts'
import type { QuarantinedRow } from '../parse-rows.ts'

/** The index value of a UTC day, 0 to 100. */
export interface IndexDay {
  at: Date
  value: number
}

export interface IndexHistory {
  days: IndexDay[]
  quarantined: QuarantinedRow[]
}

/** A publisher of a fear and greed index. `days`: the number of newest days to read; null: all. */
export interface IndexSource {
  name: string
  history: (options: { days: number | null }) => Promise<IndexHistory>
}

const DAY_MS = 86_400_000

/** A row of either publisher: value as text or number, time in Unix seconds, rounded down to its UTC day. */
export const indexRow = z
  .object({
    value: z
      .union([z.number(), z.string()])
      .transform(String)
      .refine((text) => /^\d{1,3}$/.test(text) && Number(text) <= 100, 'not a whole number from 0 to 100'),
    timestamp: secondsField,
  })
  .transform(({ value, timestamp }): IndexDay => ({
    at: new Date(Math.floor(timestamp.getTime() / DAY_MS) * DAY_MS),
    value: Number(value),
  }))
