import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Known, LEARNT, look } from '../../activities/drift/look.ts'
import { shapeOf } from '../../activities/drift/shape.ts'
import { createRandom, shuffled } from '../upstreams/double.ts'
import { realdata } from '../setup/realdata.ts'

interface Rows {
  name: string
  rows: unknown[]
}

/** Lists of objects inside of a value that are long enough to learn from and to look at more. */
function listsOf(value: unknown, name: string): Rows[] {
  if (typeof value !== 'object' || value === null) return []
  const below = Array.isArray(value)
    ? value.slice(0, 1).flatMap((one) => listsOf(one, `${name}[]`))
    : Object.entries(value).flatMap(([key, one]) => listsOf(one, `${name}.${key}`))
  const isList = Array.isArray(value) && value.length >= 2 * LEARNT && typeof value[0] === 'object'
  return isList ? [{ name, rows: value }, ...below] : below
}

test.skipIf(realdata === null)('rows of recorded answers are no drift among each other', async () => {
  const files = (await readdir(realdata!, { recursive: true }))
    .filter((file) => /\.(json|txt)$/.test(file))
    .sort()
  const alarms: string[] = []
  let lists = 0
  for (const file of files) {
    const text = await readFile(join(realdata!, file), 'utf8')
    let body: unknown
    try {
      body = JSON.parse(text.replace(/^[A-Z]+\n.*\n.*\n(?=[[{])/, ''))
    } catch {
      continue
    }
    for (const { name, rows } of listsOf(body, file)) {
      lists++
      let known: Known | null = null
      // In an order of chance, as one row of many is looked at. A list may have rows of one kind first.
      for (const [i, row] of shuffled(rows, createRandom(1)).slice(0, 500).entries()) {
        const at = String(i)
        known = look(known, { shape: shapeOf(row), fits: true, at }).known
        for (const { change, field, was, is } of known!.changes.filter(({ driftedAt }) => driftedAt === at))
          alarms.push(`${name} row ${at}: ${change} ${field}: ${was} ${is}`)
      }
    }
  }
  expect(lists).toBeGreaterThan(20)
  expect(alarms).toEqual([])
})
