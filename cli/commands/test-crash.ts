import { runVitest } from './test.ts'

/** Runs *.crash.test.ts: minutes of seeded kills. */
export async function run(args: string[]): Promise<number> {
  return runVitest(['crash'], args)
}
