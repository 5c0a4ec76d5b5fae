import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { importClosure } from './import-closure.ts'
import { PATHS } from './paths.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/**
 * Maximum number of files: the current number plus a little room. Lower it when a path gets shorter. Files of
 * `db/values/networks/` are rows of one table.
 */
const MOST = { transaction: 70, 'P&L point': 95 }

test.each(Object.entries(MOST))(
  'the code of a %s from source to answer spans at most %i files',
  (name, most) => {
    const { files } = importClosure(ROOT, PATHS[name as keyof typeof PATHS])
    expect(files.length).toBeLessThanOrEqual(most)
  },
)

test('counts types separately, and skips packages and modules loaded on demand', () => {
  const root = mkdtempSync(join(tmpdir(), 'sluice-closure-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'in'))
  const write = (file: string, lines: string[]) => writeFileSync(join(root, file), `${lines.join('\n')}\n`)
  write('start.ts', [
    `import { z } from 'zod'`,
    `import type { A } from './type.ts'`,
    `import {\n  type B,\n  type C,\n} from './types.ts'`,
    `import { type D, e } from './in/value.ts'`,
    `type F = import('./inline.ts').F`,
    `const g = () => import('./later.ts')`,
    `const h = await import('./awaited.ts')`,
  ])
  for (const file of ['type.ts', 'types.ts', 'inline.ts', 'later.ts', 'awaited.ts'])
    write(file, ['export {}'])
  write('in/value.ts', [`export { i } from '../again.ts'`])
  write('again.ts', [`import './in/value.ts'`])
  expect(importClosure(root, ['start.ts'])).toEqual({
    files: ['again.ts', 'in/value.ts', 'inline.ts', 'start.ts', 'type.ts', 'types.ts'],
    typesOnly: 3,
    lines: 15,
  })
})
