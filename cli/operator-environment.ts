import { homeFolder } from './folders.ts'
import { readSecrets } from './secrets.ts'
import { serviceEnvironment } from './service-environment.ts'
import { readRun } from './supervisor/run-file.ts'

/**
 * Returns the environment of the worker. Variables of this command override those of the running
 * installation.
 */
export function operatorEnvironment(): Record<string, string | undefined> {
  const run = readRun(homeFolder())
  const secrets = readSecrets(homeFolder())
  return { ...(run && secrets && serviceEnvironment({ run, secrets })), ...process.env }
}
