import { expect, test } from 'vitest'
import { isShown } from './shown-output.ts'

test.each([
  ['HTTP/1.1 402 Payment Required', 'HTTP/1.1 402 Payment Required\n'],
  ['{"price":64012.5,"rank":1}', '{"price":63990,"rank":1}'],
  ['granted 1,000,000 of 20000', 'granted 9 of 3000000'],
  [
    'at 2026-11-22T10:00:00.000Z by 019a0000-0000-7000-8000-000000000000',
    'at 2027-01-02T03:04:05Z by 01a9ffff-abcd-7123-8abc-0123456789ab',
  ],
  ['wallet 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 synced', 'wallet 0xabcdef0123456789abcd synced'],
  ['first\n...\nlast', 'first\nsecond\nthird\nlast'],
  ['{"result":[{"id":"bitcoin",...', '{"result":[{"id":"bitcoin","price":1}]}'],
  ['│ id       │ state │\n├──────────┼──', '│ id │ state │\n├────┼────────'],
])('%j on a page matches the output %j', (shown, printed) => expect(isShown(shown, printed)).toBe(true))

test.each([
  ['HTTP/1.1 402 Payment Required', 'HTTP/1.1 200 OK'],
  ['x-credits-cost: 8', 'x-credits-cost: 80'],
  ['{"rank":1}', '{"rank":2}'],
  ['price 64012.5', 'price unknown'],
  ['first\nlast', 'first\nsecond\nlast'],
  ['synced', 'syncing'],
  ['a.c', 'abc'],
])('%j on a page does not match the output %j', (shown, printed) =>
  expect(isShown(shown, printed)).toBe(false),
)
