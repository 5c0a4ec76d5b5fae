import { readParts } from './read-settings.ts'
import { SettingsError } from './settings-error.ts'

/**
 * Reads the configuration of a process once at its start. If a setting is wrong, prints every problem and
 * exits with code 1.
 */
export function configured<T extends Record<string, () => unknown>>(
  parts: T,
): { [K in keyof T]: ReturnType<T[K]> } {
  try {
    return readParts(parts)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
