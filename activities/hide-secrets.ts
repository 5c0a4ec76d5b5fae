/** What a request was sent with, as far as it may hold keys. */
export interface Asked {
  url: string
  headers?: Record<string, string>
  /** A key inside the URL. */
  secret?: string
}

/** Stands for a key wherever one was. */
const HIDDEN = 'KEY'

/** Names of headers and URL parameters whose values are keys. Others, such as `pageKey`, are part of the question. */
const SECRET_NAME =
  /(^|api|access|secret|private|auth|client)[-_]?key$|(secret|password|passphrase|signature|authorization|cookie)$|(^|[-_])(auth|token|sign)$/i

/** Fields of answers whose values are keys. Narrower: tokens and signatures are ordinary data of chains. */
const SECRET_FIELD =
  /("(?:(?:x|api|access|secret|private|auth|refresh|session|client)[-_]?(?:api[-_]?)?(?:key|token|secret)|password|passphrase|jwt)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi

/** Shorter values are ordinary words, such as a version in a path. */
const SHORTEST_SECRET = 8
/** A part of a configured path that looks like a key: long, with letters and digits. */
const KEY_IN_PATH = /^(?=.*\d)(?=.*[a-z])[\w-]{16,}$/i

/** Keys with which a source is asked: in headers, parameters, and the configured URL of the source. */
export function secretsOf({ url, headers = {}, secret }: Asked, configured: string): string[] {
  const base = new URL(configured)
  const parameters = [new URL(url), base].flatMap(({ searchParams }) =>
    [...searchParams].filter(([name]) => SECRET_NAME.test(name)).map(([, value]) => value),
  )
  const inHeaders = Object.entries(headers)
    .filter(([name]) => SECRET_NAME.test(name))
    .map(([, value]) => value.replace(/^\w+ /, ''))
  const inPath = base.pathname.split('/').filter((part) => KEY_IN_PATH.test(part))
  const found = [secret, base.username, base.password, ...inHeaders, ...parameters, ...inPath]
  return [...new Set(found)].filter((one) => one !== undefined && one.length >= SHORTEST_SECRET) as string[]
}

/** Puts `KEY` for each secret, and for the values of fields that are named as keys. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const spellings = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)])
  const hidden = spellings.reduce((hiding, secret) => hiding.replaceAll(secret, HIDDEN), text)
  return hidden.replaceAll(SECRET_FIELD, `$1"${HIDDEN}"`)
}

/** Path and query of a URL without its key parameters. */
export function pathWithoutKeys(given: string | URL): string {
  const url = new URL(given)
  const keys = [...url.searchParams.keys()].filter((name) => SECRET_NAME.test(name))
  for (const name of keys) url.searchParams.delete(name)
  return url.pathname + url.search
}
