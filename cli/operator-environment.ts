import { homeFolder } from './folders.ts'
import { readSecrets } from './secrets.ts'
import { serviceEnvironment } from './service-environment.ts'
import { readRun } from './supervisor/run-file.ts'

/** What the worker is told: by the running installation, and before that by the environment of this command. */
export function operatorEnvironment(): Record<string, string | undefined> {
  const run = readRun(homeFolder())
  const secrets = readSecrets(homeFolder())
  return { ...(run && secrets && serviceEnvironment({ run, secrets })), ...process.env }
}
