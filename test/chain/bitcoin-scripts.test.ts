import { expect, test } from 'vitest'
import { addressOf, scriptOf } from '../../activities/chain/sources/bitcoin-scripts.ts'

// Pairs of BIP 173, BIP 350 and BIP 16, and of well-known transactions.
test.each([
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
  [
    'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
    '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
  ],
  [
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  ],
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac'],
  ['3P14159f73E4gFr7JterCCQh9QjiTjiZrG', 'a914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87'],
])('%s is paid by its script', (address, script) => {
  expect(scriptOf(address)).toBe(script)
  expect(addressOf(script)).toBe(address)
})

test.each([
  ['data', '6a0c73616e64626f782064617461'],
  ['a bare key', `21${'02'.repeat(33)}ac`],
  ['a witness version that no wallet pays', `5220${'11'.repeat(32)}`],
  ['nothing', ''],
])('a script of %s has no address', (_what, script) => {
  expect(addressOf(script)).toBe(null)
})
