import { expect, test } from 'vitest'
import { tokenMetadata } from '../../activities/nft/token-metadata.ts'

const traits = (document: object) =>
  tokenMetadata.parse(document).traits.map(({ key, kind, value }) => `${key} ${kind} ${value}`)

test('the picture is the first that the document names', () => {
  const image = (document: object) => tokenMetadata.parse(document).image
  const all = { image: 'a', image_url: 'b', image_data: 'c' }
  expect(image(all)).toBe('a')
  expect(image({ ...all, image: '' })).toBe('b')
  expect(image({ ...all, image: null, image_url: 7 })).toBe('c')
  expect(image({ ...all, image: undefined, image_url: '', image_data: '' })).toBeNull()
})

test('traits are a list of names and values, or an object; what has no text is left out', () => {
  const list = [
    { trait_type: 'Eyes', value: 'blue' },
    { trait_type: 'Level', value: 3 },
    { trait_type: 'Born', value: 9, display_type: 'date' },
    { trait_type: 'Rare', value: false },
    { trait_type: ' ', value: 'nameless' },
    { trait_type: 'Empty', value: ' ' },
    { trait_type: 'Nested', value: {} },
    { value: 'nameless' },
    null,
  ]
  const read = ['Eyes string blue', 'Level number 3', 'Born date 9', 'Rare string false']
  expect(traits({ attributes: list })).toEqual(read)
  expect(traits({ traits: list, properties: { A: 1 } })).toEqual(read)
  expect(traits({ properties: { Eyes: 'blue', Level: 3, Nested: {}, Empty: '' } })).toEqual([
    'Eyes string blue',
    'Level number 3',
  ])
  for (const none of [{}, { attributes: 'text' }, { attributes: null }]) expect(traits(none)).toEqual([])
  const many = Array.from({ length: 201 }, (_, n) => ({ trait_type: 'N', value: n }))
  expect(traits({ attributes: many })).toHaveLength(200)
})

test('a name is plain text, and none where it is no text', () => {
  expect(tokenMetadata.parse({ name: '<b>One</b>' }).name).toBe('One')
  expect(tokenMetadata.parse({ name: 7 }).name).toBeNull()
})
