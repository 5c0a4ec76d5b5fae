import { expect, test } from 'vitest'
import { chainArea } from '../../activities/chain/area.ts'
import { NETWORKS } from '../../db/values/networks.ts'
import { explainNoNetwork, settingOf } from '../../web/console/networks-of-address.ts'

test.each([
  [
    'osmo1jv65s3grqf6v6jl3dp4t6c9t9rk99cd80yhvld',
    [],
    'no network of this address has a source: osmosis (set OSMOSIS_REST_URL)',
  ],
  ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', ['xrpl', 'tron'], 'name a network of this address: xrpl'],
  [
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    [],
    'no network of this address has a source: bitcoin (set ESPLORA_URL)',
  ],
])('of %s with %j on: %s', (address, active, text) => {
  expect(explainNoNetwork(address, new Set(active))).toBe(text)
})

test('an address of many networks gets the variable of each', () => {
  const text = explainNoNetwork('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', new Set())
  expect(text).toContain('ethereum (set RPC_URL_ETHEREUM), binancesmartchain (set RPC_URL_BINANCESMARTCHAIN)')
})

test('the variable is the one of the source', () => {
  const families = NETWORKS.filter(({ kind }) => kind !== 'evm')
  expect(families.length).toBeGreaterThan(5)
  for (const network of families)
    expect(settingOf(network)).toBe(
      chainArea.sources.find(({ name }) => name === network.history[0])!.urlVariable,
    )
})
