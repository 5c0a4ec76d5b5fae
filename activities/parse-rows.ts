import type { z } from 'zod'

/** A row that was not taken, with what the source sent. */
export interface QuarantinedRow {
  reason: string
  payload: unknown
}

/** Rows that fit their schema, and apart from them those that do not: one bad row does not stop the rest. */
export function parseRows<T>(
  schema: z.ZodType<T>,
  rows: readonly unknown[],
): { rows: T[]; quarantined: QuarantinedRow[] } {
  const good: T[] = []
  const quarantined: QuarantinedRow[] = []
  for (const row of rows) {
    const parsed = schema.safeParse(row)
    if (parsed.success) good.push(parsed.data)
    else quarantined.push({ reason: describeIssues(parsed.error), payload: row })
  }
  return { rows: good, quarantined }
}

export function describeIssues(error: z.ZodError): string {
  const issues = error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`)
  return issues.join('; ').slice(0, 300)
}
