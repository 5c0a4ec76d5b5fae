import { expect, test } from 'vitest'
import { clientTable } from './client-table.ts'

test('each part of a client is one line with its calls, what worked, and the names of what did not', () => {
  const table = clientTable([
    { client: 'Ruby', part: 'reads', name: 'HEAD', calls: 2, worked: true },
    { client: 'Ruby', part: 'reads', name: 'GET', calls: 10, worked: true },
    { client: 'Ruby', part: 'errors', name: 'the body of a 404', calls: 1, worked: false },
    { client: 'Python', part: 'errors', name: 'the body of a 404', calls: 1, worked: true },
  ])
  expect(table.split('\n')).toEqual([
    'client  part    calls  worked  did not work',
    'Ruby    reads      12  2 of 2',
    'Ruby    errors      1  0 of 1  the body of a 404',
    'Python  errors      1  1 of 1',
  ])
})
