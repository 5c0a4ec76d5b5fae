import { homeFolder } from '../folders.ts'
import { endRun } from '../supervisor/end-run.ts'

/** Ends the installation of this home, from another terminal or in the background, and waits for its end. */
export async function run(): Promise<void> {
  const home = homeFolder()
  const ended = await endRun(home, (line) => console.error(line))
  console.log(ended ? 'everything is stopped' : `nothing runs in ${home}`)
}
