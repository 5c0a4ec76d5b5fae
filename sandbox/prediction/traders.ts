import { createHash } from 'node:crypto'

const first = [
  'Quiet',
  'Brisk',
  'Amber',
  'Iron',
  'Lucky',
  'Salty',
  'Velvet',
  'Rapid',
  'Misty',
  'Stoic',
  'Crimson',
  'Polar',
]
const second = [
  'Otter',
  'Falcon',
  'Badger',
  'Lynx',
  'Heron',
  'Mole',
  'Tapir',
  'Wombat',
  'Gecko',
  'Moose',
  'Ibis',
  'Marten',
]

export interface SandboxTrader {
  proxyWallet: string
  name: string
  pseudonym: string
  bio: string
  profileImage: string
}

const hex = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length)

export const hashOf = (text: string): string => `0x${hex(text, 64)}`

/** Accounts by activity, the busiest first. Most have no name, and most have no picture. */
export function createTraders({ seed, count }: { seed: number; count: number }): SandboxTrader[] {
  return Array.from({ length: count }, (_, i) => {
    const pseudonym = `${first[i % first.length]}-${second[(i * 7 + seed) % second.length]}`
    return {
      // The real service sometimes sends addresses in mixed case.
      proxyWallet: `0x${hex(`trader ${seed} ${i}`, 40)}`,
      name: i % 3 === 0 ? `${pseudonym.toLowerCase()}${i}` : '',
      pseudonym,
      bio: '',
      profileImage: i % 4 === 0 ? `https://polymarket.example/profiles/${i}.png` : '',
    }
  })
}
