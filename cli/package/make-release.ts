import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError, UsageError } from '../command.ts'
import { withRelease } from './changelog.ts'

/** Both files name the version; the lock file twice. */
const VERSIONED = { 'package.json': 1, 'package-lock.json': 2 }
const SEMANTIC = /^\d+\.\d+\.\d+(-[\w.]+)?$/

export const changelogOf = (root: string): string => join(root, 'CHANGELOG.md')

/**
 * Gives the unreleased changes of a clone a version, and its package too. `day`: YYYY-MM-DD. Writes nothing if
 * it throws.
 */
export function makeRelease(root: string, { version, day }: { version: string; day: string }): void {
  if (!SEMANTIC.test(version)) throw new UsageError(`"${version}" is not a version such as 1.2.0`)
  const texts = new Map([
    [changelogOf(root), withRelease(readFileSync(changelogOf(root), 'utf8'), { version, day })],
  ])
  for (const [name, times] of Object.entries(VERSIONED)) {
    const file = join(root, name)
    texts.set(file, withVersion(file, version, times))
  }
  for (const [file, text] of texts) writeFileSync(file, text)
}

/** A file with other first versions, which are its own, and the layout that it has. */
function withVersion(file: string, version: string, times: number): string {
  let text = readFileSync(file, 'utf8')
  const own = `"version": "${(JSON.parse(text) as { version: string }).version}"`
  let from = 0
  for (let time = 0; time < times; time++) {
    const at = text.indexOf(own, from)
    if (at === -1) throw new CommandError(`${file} does not name its version ${times} times`)
    text = `${text.slice(0, at)}"version": "${version}"${text.slice(at + own.length)}`
    from = at + 1
  }
  return text
}
