import { runVitest } from './test.ts'

/** Runs the random tests of accounting and DeFi with a hundred to a thousand sequences and histories each. */
export async function run(args: string[]): Promise<number> {
  return runVitest(['long'], args)
}
