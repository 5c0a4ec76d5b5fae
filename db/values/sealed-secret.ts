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

/** The owner of a sealed secret. It opens only with the same values, so a copied row is useless elsewhere. */
export type SealContext =
  /** Credentials of an exchange account. */
  | { accountId: string; connectionId: string; version: number }
  /** The secret of a webhook endpoint. */
  | { accountId: string; endpointId: string }
  /** The secret of the app that makes a user's codes. */
  | { userSubject: string }

export interface SealedSecret {
  /** Id of the key-encryption key. */
  keyId: string
  /** The encrypted data key: ephemeral public key, nonce, tag, AES-256-GCM ciphertext. */
  wrappedKey: Buffer
  /** The secret encrypted with the data key: nonce, tag, AES-256-GCM ciphertext. */
  ciphertext: Buffer
}

const NONCE = 12
const TAG = 16
const PUBLIC_DER = 44

/**
 * Creates a key-encryption key. It is an X25519 pair: the process that receives secrets holds only the public
 * half, so it can seal secrets but never open them, not even its own.
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

/** Encrypts a secret with a fresh data key, and that key for `publicKey`. Throws on an invalid public key. */
export function sealSecret(input: { secret: string; context: SealContext; publicKey: string }): SealedSecret {
  const { secret, context, publicKey } = input
  const dataKey = randomBytes(32)
  return {
    ...wrapKey(dataKey, context, publicKey),
    ciphertext: encrypt(dataKey, Buffer.from(secret, 'utf8'), context),
  }
}

/** Decrypts a secret. Throws when no key matches, or when the row was changed or has another context. */
export function openSecret(input: {
  sealed: SealedSecret
  context: SealContext
  privateKeys: readonly string[]
}): string {
  const { sealed, context, privateKeys } = input
  const dataKey = unwrapKey(sealed, context, privateKeys)
  return decrypt(dataKey, sealed.ciphertext, context).toString('utf8')
}

/** Moves a secret to another key-encryption key: wraps its data key again, leaves the secret encrypted. */
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
  if (text === undefined) throw new Error(`no private key ${sealed.keyId} to open this secret`)
  const privateKey = privateKeyOf(text)
  const written = sealed.wrappedKey.subarray(0, PUBLIC_DER)
  const ephemeral = createPublicKey({ key: written, type: 'spki', format: 'der' })
  // OpenSSL accepts several encodings of a key; only the canonical one is valid here.
  if (!derOf(ephemeral).equals(written)) throw new Error('the public key of this secret was changed')
  const shared = diffieHellman({ privateKey, publicKey: ephemeral })
  const key = agreedKey({ shared, ephemeral, recipient: createPublicKey(privateKey) })
  return decrypt(key, sealed.wrappedKey.subarray(PUBLIC_DER), context)
}

/** Derives the key as age does for a recipient: HKDF over the shared secret, salted with both public keys. */
function agreedKey(input: { shared: Buffer; ephemeral: KeyObject; recipient: KeyObject }): Buffer {
  const salt = Buffer.concat([derOf(input.ephemeral), derOf(input.recipient)])
  return Buffer.from(hkdfSync('sha256', input.shared, salt, 'sluice sealed secret', 32))
}

/** Each key encrypts one text only, so a random nonce cannot repeat. */
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

const boundTo = (context: SealContext): Buffer => Buffer.from(JSON.stringify(ownerOf(context)))

function ownerOf(context: SealContext): readonly (string | number)[] {
  if ('userSubject' in context) return ['code secret', context.userSubject]
  if ('endpointId' in context) return ['webhook secret', context.accountId, context.endpointId]
  return ['exchange secret', context.accountId, context.connectionId, context.version]
}

const privateKeyOf = (text: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(text, 'base64url'), type: 'pkcs8', format: 'der' })

const derOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })
