import { CommandError } from '../command.ts'

const UNRELEASED = '## [Unreleased]\n'
const BEFORE_THE_FIRST = / There is no release yet\./

/**
 * Returns the changes of one version, or of "Unreleased", without the heading. Throws if CHANGELOG.md has no such
 * part, or an empty one.
 */
export function notesOf(changelog: string, version: string): string {
  const parts = changelog.split(/^## /m)
  const part = parts.find((one) => one.startsWith(`[${version}]`))
  const notes = part?.slice(part.indexOf('\n')).trim()
  if (notes === undefined) throw new CommandError(`CHANGELOG.md has no version ${version}`)
  if (notes === '') throw new CommandError(`CHANGELOG.md lists no change of ${version}`)
  return notes
}

/** Returns the changelog with its unreleased changes as those of a version. `day`: YYYY-MM-DD */
export function withRelease(changelog: string, { version, day }: { version: string; day: string }): string {
  notesOf(changelog, 'Unreleased')
  if (changelog.includes(`\n## [${version}]`))
    throw new CommandError(`CHANGELOG.md has version ${version} already`)
  return changelog
    .replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${day}\n`)
    .replace(BEFORE_THE_FIRST, '')
}
