import { expect, test } from 'vitest'
import { toJavaScript } from '../../cli/package/to-javascript.ts'

test('types become spaces, and names of TypeScript files those of JavaScript files', () => {
  const source = `import type { A } from './a.ts'
import { b } from '../b/b-c.ts'
export const load = (): Promise<unknown> => import("./c.ts")
const file: string = \`a/main.ts\`
const text = 'See x.ts.'
`
  const script = toJavaScript(source)
  expect(script.split('\n').map((line) => line.trim())).toEqual([
    '',
    `import { b } from '../b/b-c.js'`,
    'export const load = ()                   => import("./c.js")',
    'const file         = `a/main.js`',
    `const text = 'See x.ts.'`,
    '',
  ])
  expect(script.length).toBe(source.length)
})
