import { VARIABLES } from './variables.ts'

type Environment = Record<string, string | undefined>

export interface ShownSetting {
  name: string
  /** Without what is secret; null: it is not set, and has no default. */
  value: string | null
  isSet: boolean
}

/** What is never shown, not even in part. */
const SECRET = /KEY|SECRET|PASSWORD|PEPPER|TOKEN|HEADERS|PASSCODE|JWK/
/** Names that only sound like it. */
const PUBLIC = new Set(['EXCHANGE_SEAL_KEY', 'OIDC_TOKEN_TYPE'])

/** The declared settings of a process, with secrets hidden. */
export function shownSettings(env: Environment): ShownSetting[] {
  return Object.entries(VARIABLES)
    .map(([name, variable]) => {
      const given = env[name] || undefined
      const value = given ?? ('default' in variable ? variable.default : undefined)
      return { name, value: value === undefined ? null : shown(name, value), isSet: given !== undefined }
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}

function shown(name: string, value: string): string {
  if (SECRET.test(name) && !PUBLIC.has(name)) return 'hidden'
  // Keys of nodes and of chats are in paths, those of databases and of mail before the host.
  return value
    .split(',')
    .map((part) => (/^[a-z][a-z0-9+]*:\/\//i.test(part.trim()) ? placeOf(part.trim()) : part))
    .join(',')
}

function placeOf(address: string): string {
  const url = URL.parse(address)
  if (!url) return 'hidden'
  const { protocol, username, host, pathname } = url
  const user = username === '' ? '' : `${username}@`
  const isDatabase = /^(postgres(ql)?|s3):$/.test(protocol)
  const rest = isDatabase ? pathname : pathname.length > 1 || url.search !== '' ? '/…' : ''
  return `${protocol}//${isDatabase ? user : ''}${host}${rest}`
}
