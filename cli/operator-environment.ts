import { homeFolder } from './folders.ts'
import { readSecrets } from './secrets.ts'
import { serviceEnvironment } from './service-environment.ts'
import { shellEnvironment } from './settings-file.ts'
import { readRun } from './supervisor/run-file.ts'

/**
 * Returns the environment of the worker: what the running installation was started with, even if the settings file has
 * changed since. Variables of this shell override it. When nothing runs: what the next start would use.
 */
export function operatorEnvironment(): Record<string, string | undefined> {
  const run = readRun(homeFolder())
  if (!run) return process.env
  const secrets = readSecrets(homeFolder())
  return { ...run.settings, ...(secrets && serviceEnvironment({ run, secrets })), ...shellEnvironment() }
}
