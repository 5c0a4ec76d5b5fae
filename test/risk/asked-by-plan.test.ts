import { expect, test } from 'vitest'
import { riskArea } from '../../activities/risk/area.ts'
import { askedBy } from '../setup/asked-by.ts'

test('without a key GoPlus is asked for each token, with one for a batch of them', async () => {
  expect(await askedBy(riskArea, { goplus: 'keyless' })).toEqual({
    'goplus risks of tokens': 500,
    'rugcheck risks of tokens': 20,
  })
  expect(await askedBy(riskArea, { goplus: 'full' })).toMatchObject({ 'goplus risks of tokens': 20 })
})
