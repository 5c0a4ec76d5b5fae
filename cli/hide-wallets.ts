import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'

/** An EVM address, alone or padded to 32 bytes. */
const EVM = /(0x0{24}|0x)([0-9a-f]{40})(?![0-9a-f])/gi
/** Addresses of Bitcoin and Solana, and extended keys. */
const WORD = /[0-9A-Za-z]{25,120}/g

/**
 * Returns a function that puts invented addresses of the same kind and length for those of this installation's
 * wallets and their accounts: the same for the same, others in another run. Checksums are not kept.
 */
export async function walletHider(db: Db): Promise<(text: string) => string> {
  const { rows } = await sql<{ address: string }>`
    select address from wallets union select account from wallet_accounts`.execute(db)
  const own = new Set(rows.map(({ address }) => address))
  const salt = randomBytes(16)
  const hex = (address: string) => createHmac('sha256', salt).update(address).digest('hex')
  const inventEvm = (whole: string, prefix: string, digits: string) => {
    const address = `0x${digits.toLowerCase()}`
    return own.has(address) ? prefix + hex(address).slice(0, 40) : whole
  }
  const inventWord = (word: string) => {
    if (!own.has(word)) return word
    // Digits and letters that all these alphabets have, after the letters that tell the kind.
    const digits = hex(word).repeat(4).replaceAll('0', 'x').replaceAll('b', 'z').replaceAll('1', 'w')
    return word.slice(0, 4) + digits.slice(0, word.length - 4)
  }
  return (text) => text.replaceAll(EVM, inventEvm).replaceAll(WORD, inventWord)
}
