import { runVitest } from './test.ts'

/** Runs *.oracle.test.ts: comparisons with independent programs. */
export async function run(args: string[]): Promise<number> {
  return runVitest(['oracle'], args)
}
