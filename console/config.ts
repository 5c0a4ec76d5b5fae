import { z } from 'zod'
import { readVariables } from '../api/read-variables.ts'

const schema = z.object({
  CONSOLE_DATABASE_URL: z.string().min(1),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().optional(),
  TEMPORAL_UI_URL: z.url().optional().or(z.literal('')),
})

export interface ConsoleConfig {
  /** Connects as role `console`. */
  databaseUrl: string
  /** The Temporal server that the worker uses; null: nothing is known of workflows. */
  temporal: { address: string; namespace: string; uiUrl: string | null } | null
}

/** Reads the environment once. Null: no database is set for it, and there is no console. */
export function readConsoleConfig(env: Record<string, string | undefined>): ConsoleConfig | null {
  if (!env['CONSOLE_DATABASE_URL']) return null
  const data = readVariables(schema, env)
  return {
    databaseUrl: data.CONSOLE_DATABASE_URL,
    temporal: data.TEMPORAL_ADDRESS
      ? {
          address: data.TEMPORAL_ADDRESS,
          namespace: data.TEMPORAL_NAMESPACE || 'default',
          uiUrl: data.TEMPORAL_UI_URL ? data.TEMPORAL_UI_URL.replace(/\/$/, '') : null,
        }
      : null,
  }
}
