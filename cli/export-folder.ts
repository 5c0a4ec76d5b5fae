import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { CommandError } from './command.ts'
import { homeFolder } from './folders.ts'

/** Where exports are: the folder that is asked for, else EXPORT_TO, else `export` in the home of the installation. */
export function exportFolder(asked?: string): string {
  const folder = asked ?? (process.env['EXPORT_TO'] || join(homeFolder(), 'export'))
  if (/^[a-z0-9]+:\/\//.test(folder)) throw new CommandError(`exports go to a folder, not to ${folder}`)
  return resolve(folder.replace(/^~(?=\/)/, homedir()))
}
