import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** What a sealed secret belongs to. It opens under these words only, so that a row moved elsewhere is useless. */
export interface SealContext {
  accountId: string
  connectionId: string
  version: number
}

export interface SealedSecret {
  /** Names the key-encryption key. */
  keyId: string
  /** The data key: ephemeral public key, nonce, tag, AES-256-GCM of it. */
  wrappedKey: Buffer
  /** The secret: nonce, tag, AES-256-GCM of it under the data key. */
  ciphertext: Buffer
}

const NONCE = 12
const TAG = 16
const PUBLIC_DER = 44

/**
 * A new key-encryption key. It is a pair (X25519), so that the process that takes secrets in holds the public half
 * alone: it can seal, and open nothing, not even what it has sealed itself.
 */
export function createSealingKey(): string {
  const { privateKey } = generateKeyPairSync('x25519')
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url')
}

/** The public half of a key-encryption key. */
export function sealingPublicKey(privateKey: string): string {
  return derOf(createPublicKey(privateKeyOf(privateKey))).toString('base64url')
}

/** Short name of a public key. */
export function sealingKeyId(publicKey: string): string {
  return hash('sha256', Buffer.from(publicKey, 'base64url'), 'hex').slice(0, 16)
}

/** Encrypts a text under a fresh data key, and that key for the public key. Throws for a text that is no key. */
export function sealSecret(input: { secret: string; context: SealContext; publicKey: string }): SealedSecret {
  const { secret, context, publicKey } = input
  const dataKey = randomBytes(32)
  return {
    ...wrapKey(dataKey, context, publicKey),
    ciphertext: encrypt(dataKey, Buffer.from(secret, 'utf8'), context),
  }
}

/** The text. Throws when none of the keys is the one it was sealed for, or when anything was changed or moved. */
export function openSecret(input: {
  sealed: SealedSecret
  context: SealContext
  privateKeys: readonly string[]
}): string {
  const { sealed, context, privateKeys } = input
  const dataKey = unwrapKey(sealed, context, privateKeys)
  return decrypt(dataKey, sealed.ciphertext, context).toString('utf8')
}

/** The same secret under another key-encryption key: the data key is wrapped anew, the text is not decrypted. */
export function rewrapSecret(input: {
  sealed: SealedSecret
  context: SealContext
  privateKeys: readonly string[]
  publicKey: string
}): SealedSecret {
  const { sealed, context, privateKeys, publicKey } = input
  const dataKey = unwrapKey(sealed, context, privateKeys)
  return { ...wrapKey(dataKey, context, publicKey), ciphertext: sealed.ciphertext }
}

function wrapKey(dataKey: Buffer, context: SealContext, publicKey: string) {
  const recipient = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), type: 'spki', format: 'der' })
  const ephemeral = generateKeyPairSync('x25519')
  const key = agreedKey({
    shared: diffieHellman({ privateKey: ephemeral.privateKey, publicKey: recipient }),
    ephemeral: ephemeral.publicKey,
    recipient,
  })
  const wrappedKey = Buffer.concat([derOf(ephemeral.publicKey), encrypt(key, dataKey, context)])
  return { keyId: sealingKeyId(publicKey), wrappedKey }
}

function unwrapKey(sealed: SealedSecret, context: SealContext, privateKeys: readonly string[]): Buffer {
  const text = privateKeys.find((key) => sealingKeyId(sealingPublicKey(key)) === sealed.keyId)
  if (text === undefined) throw new Error(`no key ${sealed.keyId}`)
  const privateKey = privateKeyOf(text)
  const written = sealed.wrappedKey.subarray(0, PUBLIC_DER)
  const ephemeral = createPublicKey({ key: written, type: 'spki', format: 'der' })
  // OpenSSL reads more than one encoding of a key.
  if (!derOf(ephemeral).equals(written)) throw new Error('its public key was changed')
  const shared = diffieHellman({ privateKey, publicKey: ephemeral })
  const key = agreedKey({ shared, ephemeral, recipient: createPublicKey(privateKey) })
  return decrypt(key, sealed.wrappedKey.subarray(PUBLIC_DER), context)
}

/** As age derives the key of a recipient: HKDF over the shared secret, salted with both public keys. */
function agreedKey(input: { shared: Buffer; ephemeral: KeyObject; recipient: KeyObject }): Buffer {
  const salt = Buffer.concat([derOf(input.ephemeral), derOf(input.recipient)])
  return Buffer.from(hkdfSync('sha256', input.shared, salt, 'sluice sealed secret', 32))
}

/** Each key encrypts one text, so that a random nonce cannot come twice. */
function encrypt(key: Buffer, text: Buffer, context: SealContext): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo(context))
  const body = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

function decrypt(key: Buffer, sealed: Buffer, context: SealContext): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG })
  decipher.setAAD(boundTo(context)).setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()])
}

const boundTo = ({ accountId, connectionId, version }: SealContext): Buffer =>
  Buffer.from(JSON.stringify(['exchange secret', accountId, connectionId, version]))

const privateKeyOf = (text: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(text, 'base64url'), type: 'pkcs8', format: 'der' })

const derOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })
