import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../ops/settings/make-folder.ts'
import { CommandError } from './command.ts'
import { explainError } from './explain-error.ts'

/** Large enough that a write to a full disk fails. */
const PROBE = Buffer.alloc(1 << 16)

/** Creates the home of an installation if it is missing. Throws a CommandError if it cannot be used. */
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
      `the home of the installation cannot be used: ${explainError(error)}.\nSet SLUICE_HOME to another folder; it is ${home}.`,
    )
  }
}

/** Files that another user writes into a home could not be read by its owner. */
async function refuseOthers(home: string): Promise<void> {
  const [own, { uid }] = [process.getuid?.(), await stat(home)]
  if (own === undefined || own === 0 || own === uid) return
  throw new CommandError(`it belongs to another user (${uid}): start as that user, or name another folder`)
}
