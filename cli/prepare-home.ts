import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../ops/settings/make-folder.ts'
import { CommandError } from './command.ts'
import { explainError } from './explain-error.ts'

/** Enough that a full disk shows. */
const PROBE = Buffer.alloc(1 << 16)

/** Makes the home of an installation where it is missing. Throws a CommandError where it is no place to live in. */
export async function prepareHome(home: string): Promise<void> {
  try {
    await makeFolder(home)
    await refuseOthers(home)
    const probe = join(home, `.probe-${process.pid}`)
    try {
      await writeFile(probe, PROBE, { flush: true })
    } finally {
      await rm(probe, { force: true })
    }
  } catch (error) {
    throw new CommandError(
      `the home of the installation cannot be used: ${explainError(error)}.\nSLUICE_HOME names it; it is ${home}.`,
    )
  }
}

/** Whoever else writes there leaves files that their owner cannot read. */
async function refuseOthers(home: string): Promise<void> {
  const [own, { uid }] = [process.getuid?.(), await stat(home)]
  if (own === undefined || own === 0 || own === uid) return
  throw new CommandError(`it belongs to another user (${uid}): start it as that one, or name another folder`)
}
