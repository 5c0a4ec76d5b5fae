import { homeFolder } from './folders.ts'
import { readSecrets } from './secrets.ts'
import { serviceEnvironment } from './service-environment.ts'
import { readRun } from './supervisor/run-file.ts'

/**
 * Returns the environment of the worker: what the running installation was started with, whatever this shell has
 * set. Variables of this command override it.
 */
export function operatorEnvironment(): Record<string, string | undefined> {
  const run = readRun(homeFolder())
  const secrets = readSecrets(homeFolder())
  return {
    ...run?.settings,
    ...(run && secrets && serviceEnvironment({ run, secrets })),
    ...process.env,
  }
}
