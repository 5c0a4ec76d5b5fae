import { runVitest } from './test.ts'

/** Runs the test files named *.whole.test.ts: the installation from its start to its end, as its user has it. */
export async function run(args: string[]): Promise<number> {
  return runVitest(['whole'], args)
}
