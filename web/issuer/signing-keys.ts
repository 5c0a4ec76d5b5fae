import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { exportJWK, generateKeyPair, type JWK } from 'jose'

export interface SigningKeys {
  /** Private keys, for RS256 and ES256. */
  jwks: JWK[]
  /** Keys that sign cookies. */
  cookies: string[]
}

/**
 * Reads the keys of the issuer, and creates them on the first start. Only the owner of the file may read it.
 */
export async function signingKeys(file: string): Promise<SigningKeys> {
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (stored !== null) return JSON.parse(stored) as SigningKeys
  const keys = {
    jwks: await Promise.all(['RS256', 'ES256'].map(newKey)),
    cookies: [randomBytes(24).toString('base64url')],
  }
  // Write a draft first: a full disk or a kill must not leave half a key file, which would never be repaired.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(draft, file)
  return keys
}

async function newKey(alg: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: randomBytes(8).toString('hex') }
}
