import { runVitest } from './test.ts'

/** Runs *.whole.test.ts and *.browser.test.ts: the installation and its pages, as users see them. */
export async function run(args: string[]): Promise<number> {
  return runVitest(['browser', 'whole'], args)
}
