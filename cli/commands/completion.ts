import type { Given } from '../command-spec.ts'
import { COMMANDS } from '../commands.ts'
import { completionScript } from '../completion-script.ts'
import type { COMPLETION } from '../specs/run.ts'

/** Made of the table of commands each time: it cannot lag behind it. */
export async function run({ shell }: Given<typeof COMPLETION>): Promise<void> {
  process.stdout.write(completionScript(COMMANDS, shell))
}
