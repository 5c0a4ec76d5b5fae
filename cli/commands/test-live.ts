import { runVitest } from './test.ts'

/** Runs *.live.test.ts: the allowances of real services, kept by strict doubles on a simulated clock. */
export async function run(args: string[]): Promise<number> {
  return runVitest(['live'], args)
}
