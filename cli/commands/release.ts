import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError, UsageError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { ROOT } from '../folders.ts'
import { notesOf, withRelease } from '../package/changelog.ts'
import type { RELEASE } from '../specs/develop.ts'

const CHANGELOG = join(ROOT, 'CHANGELOG.md')
/** Both files name the version; the lock file twice. */
const VERSIONED = { 'package.json': 1, 'package-lock.json': 2 }
const SEMANTIC = /^\d+\.\d+\.\d+(-[\w.]+)?$/

/** Makes a version, or prints the notes of one. */
export async function run(given: Given<typeof RELEASE>): Promise<void> {
  const changelog = readFileSync(CHANGELOG, 'utf8')
  if (given.action === 'notes') return console.log(notesOf(changelog, given.version ?? 'Unreleased'))
  const { version } = given
  if (!SEMANTIC.test(version)) throw new UsageError(`"${version}" is not a version such as 1.2.0`)
  writeFileSync(CHANGELOG, withRelease(changelog, { version, day: new Date().toISOString().slice(0, 10) }))
  for (const [file, times] of Object.entries(VERSIONED)) setVersion(join(ROOT, file), version, times)
  console.log(
    `CHANGELOG.md and the packages have version ${version}. Look at the changes, commit and tag them:`,
  )
  console.log(
    `git commit -am "Version ${version}" && git tag -a v${version} -m "$(npx sluice release notes ${version})"`,
  )
}

/** Replaces the first versions of a file, which are its own, and leaves its layout as it is. */
function setVersion(file: string, version: string, times: number): void {
  let text = readFileSync(file, 'utf8')
  const own = `"version": "${(JSON.parse(text) as { version: string }).version}"`
  let from = 0
  for (let time = 0; time < times; time++) {
    const at = text.indexOf(own, from)
    if (at === -1) throw new CommandError(`${file} does not name its version ${times} times`)
    text = `${text.slice(0, at)}"version": "${version}"${text.slice(at + own.length)}`
    from = at + 1
  }
  writeFileSync(file, text)
}
