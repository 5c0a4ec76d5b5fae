import { z } from 'zod'
import { pageMeta, pageMetaSchema } from '../shapes.ts'

const timestamp = z.string().describe('ISO 8601, time of the response')

/** Envelope of every response of the area. */
export const dataSchema = <T extends z.ZodType>(data: T) =>
  z.object({ success: z.literal(true), data, timestamp })

/** Envelope of one page of a list. */
export const listSchema = <T extends z.ZodType>(item: T) =>
  z.object({ success: z.literal(true), data: z.array(item), meta: pageMetaSchema, timestamp })

export const wrapped = <T>(data: T, now: Date) => ({
  success: true as const,
  data,
  timestamp: now.toISOString(),
})

export function wrappedPage<T>(
  data: T[],
  { now, page, limit, itemCount }: { now: Date; page: number; limit: number; itemCount: number },
) {
  return { ...wrapped(data, now), meta: pageMeta({ page, limit, itemCount }) }
}
