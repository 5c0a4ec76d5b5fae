import { join } from 'node:path'
import { ROOT } from '../folders.ts'
import { runTool } from '../run-tool.ts'

/** Runs test/mutations/main.ts. */
export async function run(args: string[]): Promise<number> {
  return (await runTool(process.execPath, [join(ROOT, 'test', 'mutations', 'main.ts'), ...args])).code
}
