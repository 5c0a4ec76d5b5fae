import { runVitest } from './test.ts'

/** Runs the test files named *.crash.test.ts: minutes of seeded kills. */
export async function run(args: string[]): Promise<number> {
  return runVitest(['crash'], args)
}
