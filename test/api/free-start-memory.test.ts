import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FILE = pathToFileURL(join(import.meta.dirname, '../../api/free-start-memory.ts')).href
const PROGRAM = `
  import { freeStartMemory } from '${FILE}'
  let kept = Array.from({ length: 1_000_000 }, (_, i) => ({ i }))
  kept = null
  const before = process.memoryUsage().rss
  freeStartMemory()
  console.log(JSON.stringify({ freed: before - process.memoryUsage().rss, gc: typeof globalThis.gc }))`

test('the memory that a start took is given back to the system', () => {
  const text = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    encoding: 'utf8',
  })
  const { freed, gc } = JSON.parse(text) as { freed: number; gc: string }
  expect(freed).toBeGreaterThan(20_000_000)
  expect(gc).toBe('undefined')
})
