import { runVitest } from './test.ts'

/** Runs the test files named *.chaos.test.ts: what goes wrong around the parts, and what is promised of it. */
export async function run(args: string[]): Promise<number> {
  return runVitest(['chaos'], args)
}
