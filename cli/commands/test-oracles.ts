import { runVitest } from './test.ts'

/** Runs the test files named *.oracle.test.ts: comparisons with programs of others. */
export async function run(args: string[]): Promise<number> {
  return runVitest(['oracle'], args)
}
