import { readParts } from './read-settings.ts'
import { SettingsError } from './settings-error.ts'

/** What a process is told, read once at its start. Where some of it is wrong the process says all that is, and ends. */
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
