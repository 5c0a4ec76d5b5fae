import type { z } from 'zod'

/** A row that failed its schema, as the source sent it. */
export interface QuarantinedRow {
  reason: string
  payload: unknown
}

/** Separates rows that fit the schema from those that do not, so that one bad row does not stop the rest. */
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
