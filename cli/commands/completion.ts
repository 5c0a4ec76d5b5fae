import type { Given } from '../command-spec.ts'
import { COMMANDS } from '../commands.ts'
import { completionScript } from '../completion-script.ts'
import type { COMPLETION } from '../specs/run.ts'

/** Generates the script from the table of commands at each call, so it is never out of date. */
export async function run({ shell }: Given<typeof COMPLETION>): Promise<void> {
  process.stdout.write(completionScript(COMMANDS, shell))
}
