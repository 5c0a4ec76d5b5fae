import { runVitest } from './test.ts'

/** Runs *.clients.test.ts: programs written for the interface, against a started installation. */
export async function run(args: string[]): Promise<number> {
  const reporters = ['--reporter=default', '--reporter=./test/setup/client-table-reporter.ts']
  return runVitest(['clients'], [...reporters, ...args])
}
