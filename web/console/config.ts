import { type Environment, readSettings } from '../../ops/settings/read-settings.ts'

export interface ConsoleConfig {
  /** Connects as role `console`. */
  databaseUrl: string
  /** The Temporal server of the worker; null: the console shows no workflows. */
  temporal: { address: string; namespace: string; uiUrl: string | null } | null
  /** Folder with the logs of the processes; null: they write no files. */
  logFolder: string | null
}

/**
 * Reads the environment once. null: CONSOLE_DATABASE_URL is not set, so there is no console. Throws a
 * SettingsError that lists every invalid setting.
 */
export function readConsoleConfig(env: Environment): ConsoleConfig | null {
  if (!env['CONSOLE_DATABASE_URL']) return null
  const data = readSettings(env, { required: ['CONSOLE_DATABASE_URL'], optional: ['LOG_FOLDER'] })
  return {
    databaseUrl: data.CONSOLE_DATABASE_URL,
    temporal: readTemporal(env),
    logFolder: data.LOG_FOLDER ?? null,
  }
}

/** Reads the Temporal server of the worker; null: not set. */
export function readTemporal(env: Environment): ConsoleConfig['temporal'] {
  const data = readSettings(env, { optional: ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'TEMPORAL_UI_URL'] })
  if (data.TEMPORAL_ADDRESS === undefined) return null
  return {
    address: data.TEMPORAL_ADDRESS,
    namespace: data.TEMPORAL_NAMESPACE,
    uiUrl: data.TEMPORAL_UI_URL ?? null,
  }
}
