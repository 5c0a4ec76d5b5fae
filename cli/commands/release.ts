import { readFileSync } from 'node:fs'
import type { Given } from '../command-spec.ts'
import { ROOT } from '../folders.ts'
import { notesOf } from '../package/changelog.ts'
import { changelogOf, makeRelease } from '../package/make-release.ts'
import type { RELEASE } from '../specs/develop.ts'

/** Makes a version, or prints the notes of one. */
export async function run(given: Given<typeof RELEASE>, root = ROOT): Promise<void> {
  if (given.action === 'notes')
    return console.log(notesOf(readFileSync(changelogOf(root), 'utf8'), given.version ?? 'Unreleased'))
  const { version } = given
  makeRelease(root, { version, day: new Date().toISOString().slice(0, 10) })
  console.log(
    `CHANGELOG.md and the packages have version ${version}. Look at the changes, commit and tag them:`,
  )
  console.log(
    `git commit -am "Version ${version}" && git tag -a v${version} -m "$(npx sluice release notes ${version})"`,
  )
}
