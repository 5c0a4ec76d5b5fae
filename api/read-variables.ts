import type { z } from 'zod'

/**
 * What an environment sets, by a schema with a key for each variable; an empty one is not set. Throws with the names of
 * the variables that are missing or wrong.
 */
export function readVariables<T extends z.ZodType>(
  schema: T,
  env: Record<string, string | undefined>,
): z.output<T> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new Error(`Set these variables: ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}`)
}
