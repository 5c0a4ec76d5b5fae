import { CommandError } from '../command.ts'
import { cacheFolder } from '../folders.ts'
import { runTool } from '../run-tool.ts'
import { findTemporal } from '../temporal/find-temporal.ts'

/** Runs the test projects unit, db and workflow. Arguments are passed to vitest. */
export async function run(args: string[]): Promise<number> {
  return runVitest(['unit', 'db', 'workflow'], args)
}

/** Finds or fetches Temporal while its progress can be seen, then starts vitest. */
export async function runVitest(projects: readonly string[], args: readonly string[]): Promise<number> {
  // Tests start their own server, because one that runs elsewhere would be shared.
  const env = { ...process.env, TEMPORAL_ADDRESS: '' }
  const log = (line: string) => console.log(line)
  await findTemporal({ env, cacheFolder: cacheFolder(), log }).catch((error: Error) => {
    throw new CommandError(error.message)
  })
  const { code } = await runTool('vitest', [
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    ...args,
  ])
  return code
}
