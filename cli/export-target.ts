import { homedir } from 'node:os'
import { join } from 'node:path'
import { openTarget } from '../export/open-target.ts'
import type { Target } from '../export/target.ts'
import { CommandError } from './command.ts'
import { homeFolder } from './folders.ts'

/**
 * Opens the target of exports: the given one, else EXPORT_TO, else `export` in the home of the installation.
 */
export function exportTarget(asked?: string): Target {
  const named = asked ?? process.env['EXPORT_TO']
  // Only the user of the installation may read the home.
  if (!named) process.umask(0o077)
  const where = named || join(homeFolder(), 'export')
  if (/^(?!s3:)[a-z0-9]+:\/\//.test(where))
    throw new CommandError(`exports go to a folder or to s3://, not to ${where}`)
  try {
    return openTarget(where.replace(/^~(?=\/)/, homedir()), process.env)
  } catch (error) {
    throw new CommandError((error as Error).message)
  }
}
