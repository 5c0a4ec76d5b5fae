import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { notesOf, withRelease } from '../../cli/package/changelog.ts'
import { ROOT } from '../docs/read-page.ts'

const changelog = `# Changelog

What users notice. There is no release yet.

## [Unreleased]

### Added

- One thing.
`

test('a version takes the unreleased changes, and the next one begins without changes', () => {
  const released = withRelease(changelog, { version: '1.2.0', day: '2026-11-28' })
  expect(released).toBe(`# Changelog

What users notice.

## [Unreleased]

## [1.2.0] - 2026-11-28

### Added

- One thing.
`)
  expect(notesOf(released, '1.2.0')).toBe('### Added\n\n- One thing.')
  expect(() => notesOf(released, 'Unreleased')).toThrow('lists no change')
  expect(() => withRelease(released, { version: '1.2.1', day: '2026-11-29' })).toThrow('lists no change')
  expect(() =>
    withRelease(changelog.replace('### Added', '## [1.2.0]'), { version: '1.2.0', day: '' }),
  ).toThrow()
  expect(() => notesOf(released, '1.2')).toThrow('has no version 1.2')
})

test('the changelog of this clone can be released', () => {
  const ours = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const released = withRelease(ours, { version: '987.0.0', day: '2026-11-28' })
  expect(notesOf(released, '987.0.0')).toBe(notesOf(ours, 'Unreleased'))
})
