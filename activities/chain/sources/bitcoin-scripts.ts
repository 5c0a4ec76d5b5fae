import { bech32, bech32m } from '@scure/base'
import { base58check } from '../../../db/values/utxo-address.ts'

// Output scripts that have an address, in hexadecimal digits: BIP 13, 16, 141, 341.

const KEY_HASH = 0x00
const SCRIPT_HASH = 0x05
const KEY_HASH_SCRIPT = /^76a914([0-9a-f]{40})88ac$/
const SCRIPT_HASH_SCRIPT = /^a914([0-9a-f]{40})87$/
const WITNESS_SCRIPT = /^(?:00(?:14([0-9a-f]{40})|20([0-9a-f]{64}))|5120([0-9a-f]{64}))$/

/** The output script of a main net address. */
export function scriptOf(address: string): string {
  if (address.startsWith('bc1')) {
    const { words } = address.startsWith('bc1q')
      ? bech32.decode(address as `bc1${string}`)
      : bech32m.decode(address as `bc1${string}`)
    const [version = 0, ...program] = words
    const hash = Buffer.from(bech32.fromWords(program))
    return `${version === 0 ? '00' : '51'}${byte(hash.length)}${hash.toString('hex')}`
  }
  const [version, ...rest] = base58check.decode(address)
  const hash = Buffer.from(rest).toString('hex')
  return version === KEY_HASH ? `76a914${hash}88ac` : `a914${hash}87`
}

/** null: a script without an address, such as data or a bare key */
export function addressOf(script: string): string | null {
  const keyHash = KEY_HASH_SCRIPT.exec(script)?.[1]
  if (keyHash) return legacy(KEY_HASH, keyHash)
  const scriptHash = SCRIPT_HASH_SCRIPT.exec(script)?.[1]
  if (scriptHash) return legacy(SCRIPT_HASH, scriptHash)
  const [, shortProgram, longProgram, taproot] = WITNESS_SCRIPT.exec(script) ?? []
  if (taproot) return bech32m.encode('bc', [1, ...bech32m.toWords(Buffer.from(taproot, 'hex'))])
  const program = shortProgram ?? longProgram
  return program ? bech32.encode('bc', [0, ...bech32.toWords(Buffer.from(program, 'hex'))]) : null
}

const legacy = (version: number, hash: string) =>
  base58check.encode(Uint8Array.of(version, ...Buffer.from(hash, 'hex')))

const byte = (value: number) => value.toString(16).padStart(2, '0')
