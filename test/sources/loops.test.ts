import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AREAS } from '../../activities/all-areas.ts'
import { followLoops } from '../../activities/follow-worker.ts'

test('every loop changes to the version of the code that is in use', () => {
  const loops = [...AREAS.flatMap(({ loops: own = [] }) => own), ...followLoops(['ethereum'])]
  const names = new Set(loops.map(({ workflow }) => workflow))
  const declared = globSync('workflows/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/setWorkflowOptions\(NEVER_ENDS, (\w+)\)/g)].map(
      ([, name]) => name,
    ),
  )
  expect(names.has('followNetwork')).toBe(true)
  expect(new Set(declared)).toEqual(names)
})
