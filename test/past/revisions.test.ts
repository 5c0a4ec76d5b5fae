import { expect, test } from 'vitest'
import { createRevisionsReader, revisionIn } from '../../db/revisions/read-revisions.ts'

test('what was read is parsed once, as long as no table has changed', () => {
  const read = createRevisionsReader()
  const first = read('coins a\nnews b')
  expect(read('coins a\nnews b')).toBe(first)
  const second = read('coins a\nnews c')
  expect(second).not.toBe(first)
  expect(second.text).toBe('coins a\nnews c')
  expect(read('coins a\nnews c')).toBe(second)
})

test('a table has one revision, made of those of its writers, and an empty text has none', () => {
  const read = createRevisionsReader()
  expect(read('').byTable).toEqual(new Map())
  expect(read('coins a\ncoins b\nnews c').byTable).toEqual(
    new Map([
      ['coins', 'ab'],
      ['news', 'c'],
    ]),
  )
})

test('tables have another revision together when one of them changes, and others do not', () => {
  const read = createRevisionsReader()
  const [coins, news, both] = [['coins'], ['news'], ['coins', 'news']]
  const of = (text: string) => {
    const revisions = read(text)
    return [coins, news, both].map((tables) => revisionIn(revisions, tables))
  }
  const before = of('coins a\nnews b')
  expect(of('coins a\nnews b')).toEqual(before)
  expect(new Set(before).size).toBe(3)
  const after = of('coins a\nnews c')
  expect(after.map((revision, index) => revision === before[index])).toEqual([true, false, false])
  expect(of('coins a')[1]).toBe(revisionIn(read(''), ['unknown']))
})
