import { runVitest } from './test.ts'

/** Runs the test files named *.whole.test.ts and *.browser.test.ts: the installation and its pages, as their users have them. */
export async function run(args: string[]): Promise<number> {
  return runVitest(['browser', 'whole'], args)
}
