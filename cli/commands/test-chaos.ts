import { runVitest } from './test.ts'

/** Runs *.chaos.test.ts: faults around the parts, and the promises that hold nevertheless. */
export async function run(args: string[]): Promise<number> {
  return runVitest(['chaos'], args)
}
